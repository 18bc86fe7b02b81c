import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../test/helpers/until.ts'
import type { Lab } from './lab.ts'
import { script } from './processes/child.ts'
import { type Server, startServing } from './processes/server.ts'

/** A response of our server that the other servers send too. */
export interface Answer {
  /** Including the query. */
  path: string
  headers: Record<string, string>
  body: string
  /** The upstream URL that a server fetches the body from for each request, with the query in JSON. */
  from?: string
}

/** The response of every server, and the only one that a bare server needs to compare startup. */
export const HEALTH: Answer = {
  path: '/health',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'ok'
}

/** Headers that a server sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** What a server answers at a path, once its answer has the status 200 and what `isWanted` wants. */
export async function answerOf(
  url: string,
  path: string,
  isWanted = (_body: string) => true
): Promise<Answer> {
  return until(async () => {
    const response = await fetch(url + path)
    const body = await response.text()
    if (response.status !== 200 || !isWanted(body)) return false
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
    return { path, headers: Object.fromEntries(headers), body }
  }, `${path} is answered`)
}

let files = 0

/** Starts a server with these answers: `bare`, a Fastify without plugins, or `express`. */
export async function serve(
  lab: Lab,
  name: 'bare' | 'express',
  answers: readonly Answer[],
  ...args: string[]
): Promise<Server> {
  files += 1
  const file = join(lab.directory, `answers-${files}.json`)
  await writeFile(file, JSON.stringify(answers))
  return startServing(lab, [script(`${name}-process`), file, ...args])
}
