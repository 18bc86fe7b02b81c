import type { FastifyInstance } from 'fastify'
import { until } from './until.ts'

/** Rejections by a busy service or upstream, or until a node has responded. The request had no effect. */
const TOO_BUSY = /"code":"(OVERLOADED|UPSTREAM_BUSY|UPSTREAM_TIMEOUT|WALLET_UNKNOWN)"/

/** Calls `fetch`, and retries while the response reports that the service or an upstream is too busy. */
export async function patientFetch(input: string | Request, init?: RequestInit): Promise<Response> {
  return until(
    async () => {
      const response = await fetch(typeof input === 'string' ? input : input.clone(), init)
      const isRefused = response.status === 503 || response.status === 504
      return !(isRefused && TOO_BUSY.test(await response.clone().text())) && response
    },
    `${typeof input === 'string' ? input : input.url} is not too busy to respond`
  )
}

/** Posts a JSON body, given as an object or a string, like `patientFetch`. */
export const patientPost = (url: string, body: object | string, headers: Record<string, string> = {}) =>
  patientFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  })

/** Like `patientFetch`, for a server in this process. */
export function patientGet(server: Pick<FastifyInstance, 'inject'>, url: string) {
  return until(async () => {
    const response = await server.inject(url)
    return !TOO_BUSY.test(response.body) && response
  }, `${url} is not too busy to respond`)
}
