import type { FastifyInstance } from 'fastify'
import { until } from './until.ts'

/** What a service refuses a request with when it, or an upstream, has no time for it: nothing was done. */
const TOO_BUSY = /"code":"(OVERLOADED|UPSTREAM_BUSY|UPSTREAM_TIMEOUT)"/

/** As `fetch`, but asks again while the machine is too busy for any other answer. */
export async function patientFetch(input: string | Request, init?: RequestInit): Promise<Response> {
  return until(
    async () => {
      const response = await fetch(typeof input === 'string' ? input : input.clone(), init)
      const isRefused = response.status === 503 || response.status === 504
      return !(isRefused && TOO_BUSY.test(await response.clone().text())) && response
    },
    `${typeof input === 'string' ? input : input.url} has time for an answer`
  )
}

/** As `patientFetch`, of a server in this process. */
export function patientGet(server: Pick<FastifyInstance, 'inject'>, url: string) {
  return until(async () => {
    const response = await server.inject(url)
    return !TOO_BUSY.test(response.body) && response
  }, `${url} has time for an answer`)
}
