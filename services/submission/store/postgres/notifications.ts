import { type Queries, sql } from '../sql.ts'
import type { Notification } from '../types.ts'

/** The maximum payload in bytes. The server accepts fewer than 8000. */
const MAX_PAYLOAD = 7900

/**
 * Returns the channel for notifications between replicas. The database sends a notification when its transaction
 * commits.
 */
export const channelOf = (wallet: number) => `submissions_${wallet}`

export function writeNotification(notification: Notification): string {
  const text = JSON.stringify(notification)
  return Buffer.byteLength(text) <= MAX_PAYLOAD ? text : JSON.stringify({ kind: notification.kind })
}

/** Notifies all replicas of the wallet when the current transaction commits. */
export async function notify({ get }: Queries, notification: Notification, wallet: number): Promise<void> {
  await get(sql`SELECT pg_notify(${channelOf(wallet)}, ${writeNotification(notification)})`)
}

/** Emitted after a reconnect in place of notifications that may have been missed. */
export const EVERYTHING: readonly Notification[] = [
  { kind: 'queued' },
  { kind: 'settled' },
  { kind: 'reported' }
]
