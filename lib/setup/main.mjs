// The one program behind every npm script: `node lib/setup/main.mjs <verb>`. It runs before anything is installed, so it and
// all of lib/setup is plain JavaScript that needs Node and nothing else. The version is judged before any other file is
// loaded: an old Node would meet syntax it does not know there, and answer with a stack trace instead of a sentence.

import { oldNodeSentence } from "./node-version.mjs";

var problem = oldNodeSentence(process.versions.node);
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
} else {
  import("./verbs.mjs").then(function run(verbs) {
    return verbs.run(process.argv[2]);
  });
}
