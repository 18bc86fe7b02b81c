import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Answer = Type.Object({
  /** With its query. */
  path: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
  /** The URL of a server that is asked for the body each time, with the query in JSON. */
  from: Type.Optional(Type.String())
})
/** An answer of our server, which others send too. */
export type Answer = Static<typeof Answer>

/** Headers that a server sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** What a server answers at a path. @throws Error for another status than 200 */
export async function answerOf(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
  return { path, headers: Object.fromEntries(headers), body: await response.text() }
}

/** The answers in a file, with the patterns of their routes. */
export function readAnswers(file: string): (Answer & { route: string })[] {
  const answers = Value.Parse(Type.Array(Answer), JSON.parse(readFileSync(file, 'utf8')))
  return answers.map(answer => ({ ...answer, route: new URL(answer.path, 'http://localhost').pathname }))
}
