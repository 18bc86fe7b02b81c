import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../test/helpers/until.ts'
import type { Lab } from './lab.ts'
import type { Answer } from './processes/answer.ts'
import { script } from './processes/child.ts'
import { type Server, startServing } from './processes/server.ts'

/** The response to `/health`. Every server sends it, and the startup benchmark needs no other response. */
export const HEALTH: Answer = {
  path: '/health',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'ok'
}

/** Headers that servers set themselves. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Requests a path repeatedly until the response has status 200 and a body that `isWanted` accepts. */
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
  }, `${path} returns the expected response`)
}

let files = 0

/** Starts a server that sends the given responses: Fastify without plugins (`bare`), or Express. */
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
