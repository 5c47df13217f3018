// lib/contract: everything that crosses the wire: input and answer schemas, the error table, events, resource ids.
// Promises: pure; safe to import in the browser, where only its types and small functions are used.
export * from "./answers";
export { AppError, ERROR_STATUS, type ErrorCode } from "./errors";
export * from "./events";
export * from "./inputs";
export { resourceIdOf, resourceOfId } from "./resource-id";
