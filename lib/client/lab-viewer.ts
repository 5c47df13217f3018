const KEY = "redlock-lab-viewer";
const DIGITS = 16;

let made: string | null = null;

/** Names this tab to the lab. A page that is loaded again keeps its name, and so the driver's seat. Only in a browser. */
export function labViewer(): string {
  made ??= stored() ?? created();
  return made;
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // storage is blocked: the name lasts as long as the page
  }
}

function created(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DIGITS / 2));
  const name = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    sessionStorage.setItem(KEY, name);
  } catch {
    // As above.
  }
  return name;
}
