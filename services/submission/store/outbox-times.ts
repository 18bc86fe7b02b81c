/** For how long a claimed event or transfer is reserved, in milliseconds. */
export const RESERVED_MS = 60_000

/** No event has so many; what a damaged row has must not overflow when it is counted on. */
export const MOST_ATTEMPTS = 999_999
