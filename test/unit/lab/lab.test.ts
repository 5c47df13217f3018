import { expect, test } from "vitest";
import { Lab } from "@/lib/lab";

const BODY = { scenario: "five-masters", seed: 1 } as const;
const newId = () => "id";

test("a read-only console says that its lab starts nothing, and starts nothing", async () => {
  const lab = new Lab({ folder: "", clientProgram: import.meta.filename, isReadOnly: true, isAllowed: true, newId });
  expect((await lab.view()).unavailableBecause).toContain("read-only");
  await expect(lab.start(BODY)).rejects.toMatchObject({ code: "lab_unavailable" });
  expect((await lab.view()).run).toBeNull();
});

test("a console that was not built says what to do", async () => {
  const lab = new Lab({ folder: "", clientProgram: "/nowhere/client.mjs", isReadOnly: false, isAllowed: true, newId });
  await expect(lab.start(BODY)).rejects.toMatchObject({ code: "lab_unavailable", message: /npm run build/ });
});

test("a console that is ending starts nothing any more", async () => {
  const lab = new Lab({ folder: "", clientProgram: import.meta.filename, isReadOnly: false, isAllowed: true, newId });
  await lab.close();
  await expect(lab.start(BODY)).rejects.toMatchObject({ code: "lab_unavailable" });
});

test("a console whose lab is switched off says so, and starts nothing", async () => {
  const options = { folder: "", clientProgram: import.meta.filename, isReadOnly: false, newId };
  const lab = new Lab({ ...options, isAllowed: false });
  expect((await lab.view()).unavailableBecause).toContain("REDLOCK_LAB");
  await expect(lab.start(BODY)).rejects.toMatchObject({ code: "forbidden" });
});
