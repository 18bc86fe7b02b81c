/** For how long a claimed event or transfer is reserved, in milliseconds. */
export const RESERVED_MS = 60_000
