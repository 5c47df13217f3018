// lib/operations: everything an operator may do, one file per verb: guard, audit intent, act, audit outcome.
// Promises: nothing is done that is not on record first; only the token that was seen is ever deleted or replaced; no token is logged.
export type { DemonstrationPort, FaultPort, OperationsContext } from "./context";
export { Holdings } from "./holdings";
export { createOperations, type Operations } from "./operations";
