import { Type } from '@sinclair/typebox'
import { parseJson } from '../../../json.ts'
import { checkFor } from '../../../schema-check.ts'
import { type Queries, sql } from '../sql.ts'
import type { News } from '../types.ts'

/** In bytes; the server takes less than 8000. */
const MAX_PAYLOAD = 7900

const NewsJson = checkFor(
  Type.Union([
    Type.Object({ kind: Type.Literal('queued') }),
    Type.Object({ kind: Type.Literal('reported') }),
    Type.Object({ kind: Type.Literal('settled'), submissionIds: Type.Optional(Type.Array(Type.String())) }),
    Type.Object({ kind: Type.Literal('resigned'), epoch: Type.Number() })
  ])
)

/** News between replicas: notifications of the database, which it sends when the transaction is committed. */
export const channelOf = (wallet: number) => `submissions_${wallet}`

export function writeNews(news: News): string {
  const text = JSON.stringify(news)
  return Buffer.byteLength(text) <= MAX_PAYLOAD ? text : JSON.stringify({ kind: news.kind })
}

/** Tells all replicas of the wallet, when the transaction under way is committed. */
export async function notify({ get }: Queries, news: News, wallet: number): Promise<void> {
  await get(sql`SELECT pg_notify(${channelOf(wallet)}, ${writeNews(news)})`)
}

/** @returns undefined for news of a kind that this version does not know */
export function readNews(payload: string): News | undefined {
  const news = parseJson(payload)
  return NewsJson.Check(news) ? news : undefined
}

/** Stands for whatever may have been missed. */
export const EVERYTHING: readonly News[] = [{ kind: 'queued' }, { kind: 'settled' }, { kind: 'reported' }]
