import { type Queries, sql } from '../sql.ts'
import type { Notification } from '../types.ts'

/** In bytes; the server accepts less than 8000. */
const MAX_PAYLOAD = 7900

/** The channel for notifications between replicas. The database sends them when their transaction commits. */
export const channelOf = (wallet: number) => `submissions_${wallet}`

export function writeNotification(notification: Notification): string {
  const text = JSON.stringify(notification)
  return Buffer.byteLength(text) <= MAX_PAYLOAD ? text : JSON.stringify({ kind: notification.kind })
}

/** Notifies all replicas of the wallet when the current transaction commits. */
export async function notify({ get }: Queries, notification: Notification, wallet: number): Promise<void> {
  await get(sql`SELECT pg_notify(${channelOf(wallet)}, ${writeNotification(notification)})`)
}

/** Replaces notifications that may have been missed. */
export const EVERYTHING: readonly Notification[] = [
  { kind: 'queued' },
  { kind: 'settled' },
  { kind: 'reported' }
]
