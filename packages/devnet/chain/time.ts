/** Formats a time in milliseconds as RFC 3339 without trailing zeros in the fraction, as Go does. */
export function rfc3339(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0{1,3}Z$/, 'Z')
}
