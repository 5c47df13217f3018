import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";

type Stage = typeof import("./stage");
type RealStage = typeof import("./real-stage");

/** One change of the source, which must be there to be made. */
export interface Edit {
  /** Below `lib`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/**
 * The simulated stage over an engine with these edits in it, none for the engine as it is.
 *
 * @throws Error when the text of an edit no longer occurs exactly once: the mutant has outlived the code it was about
 */
export function loadStage(edits: readonly Edit[]): Promise<Stage> {
  return load("stage.ts", edits);
}

/** As `loadStage`, for real servers. */
export function loadRealStage(edits: readonly Edit[]): Promise<RealStage> {
  return load("real-stage.ts", edits);
}

async function load<Module>(entry: string, edits: readonly Edit[]): Promise<Module> {
  const made = new Set<Edit>();
  const mutate: Plugin = {
    name: "mutate",
    enforce: "pre",
    transform(source, id) {
      const own = edits.filter(({ file }) => id.split("?")[0] === `${root}/lib/${file}`);
      return own.reduce((text, edit) => {
        if (text.split(edit.find).length !== 2) throw new Error(`not exactly once in ${edit.file}: ${edit.find}`);
        made.add(edit);
        return text.replace(edit.find, () => edit.replace);
      }, source);
    },
  };
  const { module } = await runnerImport<Module>(`${root}/test/mutants/${entry}`, {
    root,
    configFile: false,
    envFile: false,
    logLevel: "error",
    resolve: { alias: { "@": root } },
    plugins: [mutate],
  });
  const missed = edits.find((edit) => !made.has(edit));
  if (missed !== undefined) throw new Error(`${missed.file} was never loaded`);
  return module;
}
