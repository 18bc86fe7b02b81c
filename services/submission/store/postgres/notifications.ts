import { Type } from '@sinclair/typebox'
import { parseJson } from '../../../json.ts'
import { checkFor } from '../../../schema-check.ts'
import { type Queries, sql } from '../sql.ts'
import type { Notification } from '../types.ts'

/** In bytes; the server takes less than 8000. */
const MAX_PAYLOAD = 7900

const NotificationJson = checkFor(
  Type.Union([
    Type.Object({ kind: Type.Literal('queued') }),
    Type.Object({ kind: Type.Literal('reported') }),
    Type.Object({ kind: Type.Literal('settled'), submissionIds: Type.Optional(Type.Array(Type.String())) }),
    Type.Object({ kind: Type.Literal('stepped-down'), epoch: Type.Number() })
  ])
)

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

/** @returns undefined for a kind that this version does not know */
export function readNotification(payload: string): Notification | undefined {
  const notification = parseJson(payload)
  return NotificationJson.Check(notification) ? notification : undefined
}

/** Stands for whatever may have been missed. */
export const EVERYTHING: readonly Notification[] = [
  { kind: 'queued' },
  { kind: 'settled' },
  { kind: 'reported' }
]
