/** A URL that may be shown: its password is masked. */
export function maskUrl(url: string): string;
