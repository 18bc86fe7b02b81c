const DAY_MS = 86_400_000

/** The UTC day of a time, such as `2026-11-22`. @param time milliseconds since the epoch */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The UTC days since the epoch. @param time milliseconds since the epoch */
export const utcDayNumber = (time: number): number => Math.floor(time / DAY_MS)

/** How many milliseconds are left of the UTC day. */
export const msLeftOfDay = (time: number): number => DAY_MS - (time % DAY_MS)
