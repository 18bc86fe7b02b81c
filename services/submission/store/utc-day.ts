const DAY_MS = 86_400_000

/** The UTC days since the epoch. @param time milliseconds since the epoch */
export const utcDayNumber = (time: number): number => Math.floor(time / DAY_MS)

/** How many milliseconds are left of the UTC day. */
export const msLeftOfDay = (time: number): number => DAY_MS - (time % DAY_MS)
