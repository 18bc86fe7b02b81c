import { type Queries, sql } from '../sql.ts'
import type { Notification } from '../types.ts'

/** In bytes; the server takes less than 8000. */
const MAX_PAYLOAD = 7900

/** The channel of the notifications between replicas, which the database sends when their transaction is committed. */
export const channelOf = (wallet: number) => `submissions_${wallet}`

export function writeNotification(notification: Notification): string {
  const text = JSON.stringify(notification)
  return Buffer.byteLength(text) <= MAX_PAYLOAD ? text : JSON.stringify({ kind: notification.kind })
}

/** Tells all replicas of the wallet, when the transaction under way is committed. */
export async function notify({ get }: Queries, notification: Notification, wallet: number): Promise<void> {
  await get(sql`SELECT pg_notify(${channelOf(wallet)}, ${writeNotification(notification)})`)
}

/** Stands for whatever may have been missed. */
export const EVERYTHING: readonly Notification[] = [
  { kind: 'queued' },
  { kind: 'settled' },
  { kind: 'reported' }
]
