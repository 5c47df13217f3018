import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/lib/contract";

const document = openApiDocument() as {
  paths: Record<string, Record<string, { parameters: { name: string; in: string }[]; requestBody?: object }>>;
};
const api = fileURLToPath(new URL("../../../app/api/v1", import.meta.url));

describe("the OpenAPI document", () => {
  it("describes every route there is, and none that is not", () => {
    const routes = readdirSync(api, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("route.ts"))
      .map((path) => `/api/v1/${path.replace("/route.ts", "").replaceAll("[", "{").replaceAll("]", "}")}`);
    const described = Object.keys(document.paths).filter((path) => path.startsWith("/api/v1/"));
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it("names the fields of a body and the parameters of a path", () => {
    const operation = document.paths["/api/v1/locks/{id}/force-expire"]?.post;
    expect(operation?.parameters).toEqual([expect.objectContaining({ name: "id", in: "path", required: true })]);
    expect(JSON.stringify(operation?.requestBody)).toContain('"fingerprint"');
    expect(document.paths["/api/v1/locks"]?.get?.parameters.map(({ name }) => name)).toContain("cursor");
  });
});
