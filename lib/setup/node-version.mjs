// Read by every Node that understands modules at all, however old: no syntax younger than 2018 and no imports in this file.

var OLDEST_MAJOR = 20;
var OLDEST_MINOR = 19;

/**
 * What to tell somebody whose Node is too old, or null when it will do.
 *
 * @param {string} version as in `process.versions.node`, for instance `18.20.4`
 * @returns {string | null}
 */
export function oldNodeSentence(version) {
  var parts = version.replace(/^v/, "").split(".").map(Number);
  if (parts[0] > OLDEST_MAJOR || (parts[0] === OLDEST_MAJOR && parts[1] >= OLDEST_MINOR)) return null;
  return (
    "Redlock Console needs Node " +
    OLDEST_MAJOR +
    "." +
    OLDEST_MINOR +
    " or newer; this is Node " +
    version +
    ". Install a newer one (https://nodejs.org, or `nvm install 22`) and start again."
  );
}
