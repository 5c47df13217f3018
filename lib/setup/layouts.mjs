// REDLOCK_LAYOUTS: how clients that the console does not know write their locks, described by the operator as JSON.
//
// [{ "id": "payments", "label": "Payment locks", "pattern": "pay:*:lock", "type": "string",
//    "holder": { "regex": "^host=([^;]+)" }, "release": "delete", "publish": { "channel": "freed:{key}", "message": "1" } }]

const TYPES = ["string", "hash", "set", "zset"];
const PARTS = ["id", "label", "pattern", "type", "holder", "release", "publish"];
const HOLDERS = ["regex", "json", "field"];
const LAYOUTS_MAX = 50;
const TEXT_MAX = 200;

/**
 * @param {string | null} text JSON, or the path of a file with it
 * @param {(path: string) => string} readFile
 * @param {string[]} errors gets a sentence for everything that is wrong
 * @returns {import("./environment.d.mts").DeclaredLayout[]}
 */
export function readLayouts(text, readFile, errors) {
  if (text === null) return [];
  const complain = (sentence) => {
    errors.push(`REDLOCK_LAYOUTS: ${sentence}`);
    return [];
  };
  const isJson = /^[[{]/.test(text);
  let parsed;
  try {
    parsed = JSON.parse(isJson ? text : readFile(text));
  } catch (error) {
    if (isJson) return complain(`this is not JSON (${error.message}).`);
    const why = error.code ?? error.message;
    return complain(`${text} must be JSON, or the path of a file that can be read and holds JSON (${why}).`);
  }
  if (!Array.isArray(parsed)) return complain("it must be a list: [{ … }, { … }].");
  if (parsed.length > LAYOUTS_MAX) return complain(`it has ${parsed.length} entries; the limit is ${LAYOUTS_MAX}.`);
  const layouts = parsed.flatMap((entry, index) => {
    const { layout, wrong } = readEntry(entry);
    for (const sentence of wrong) complain(`entry ${index + 1}: ${sentence}`);
    return wrong.length === 0 ? [layout] : [];
  });
  const twice = layouts.find(({ id }, index) => layouts.findIndex((other) => other.id === id) !== index);
  return twice === undefined ? layouts : complain(`the id ${twice.id} is used twice.`);
}

function readEntry(entry) {
  const wrong = [];
  if (!isObject(entry)) return { wrong: ["it must be an object: { … }."] };
  for (const name of Object.keys(entry)) {
    if (!PARTS.includes(name)) wrong.push(`${name} is not a part of a layout; these are: ${PARTS.join(", ")}.`);
  }
  const { id, label = id, pattern, type = "string", holder, release = "delete", publish } = entry;
  if (!isText(id) || !/^[a-z0-9-]+$/.test(id)) wrong.push("id must be a short name of a-z, 0-9 and dashes.");
  if (!isText(label)) wrong.push(`label must be a text of at most ${TEXT_MAX} characters.`);
  if (!isText(pattern)) wrong.push("pattern must be a Redis glob pattern of the keys, for instance pay:*:lock.");
  if (!TYPES.includes(type)) wrong.push(`type must be one of ${TYPES.join(", ")}.`);
  const layout = {
    id,
    label,
    pattern,
    type,
    holder: holder === undefined ? null : readHolder(holder, type, wrong),
    refusal: readRelease(release, wrong),
    publish: publish === undefined ? null : readPublish(publish, wrong),
  };
  return { layout, wrong };
}

function readHolder(holder, type, wrong) {
  const [kind, ...more] = isObject(holder) ? Object.keys(holder) : [];
  const text = isObject(holder) ? holder[kind] : undefined;
  if (!HOLDERS.includes(kind) || more.length > 0 || !isText(text)) {
    wrong.push('holder must be { "regex": "…" }, { "json": "path.to.it" } or { "field": "name" }.');
    return null;
  }
  if ((kind === "field") !== (type === "hash")) {
    wrong.push("holder: a field belongs to a hash, and a hash is read by a field.");
    return null;
  }
  if (kind === "json" && type !== "string") wrong.push("holder: json belongs to a string.");
  if (kind === "json") return { kind, path: text.split(".") };
  if (kind === "field") return { kind, name: text };
  try {
    new RegExp(text);
    return { kind, source: text };
  } catch (error) {
    wrong.push(`holder: ${error.message}.`);
    return null;
  }
}

function readRelease(release, wrong) {
  if (release === "delete") return null;
  if (isObject(release) && Object.keys(release).join() === "refuse" && isText(release.refuse)) return release.refuse;
  wrong.push('release must be "delete", or { "refuse": "the reason as a sentence" }.');
  return null;
}

function readPublish(publish, wrong) {
  const { channel, message, ...more } = isObject(publish) ? publish : {};
  if (isText(channel) && isText(message) && Object.keys(more).length === 0) return { channel, message };
  wrong.push('publish must be { "channel": "…", "message": "…" }; {key} stands for the key.');
  return null;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value) {
  return typeof value === "string" && value.trim() !== "" && value.length <= TEXT_MAX;
}
