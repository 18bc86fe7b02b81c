import { setImmediate } from 'node:timers/promises'
import { type Client, clientOf } from '../../packages/client/client.ts'
import type { paths } from '../../packages/client/openapi.ts'
import createApi from '../../packages/client/openapi-fetch.ts'
import { systemTiming, type Timing } from '../../packages/client/timing.ts'

export interface SkippingClient extends Client {
  /** Total waiting time, in milliseconds. */
  waited(): number
}

/** A client that skips its pauses but adds them to its clock. */
export function createSkippingClient(baseUrl: string, limits: Partial<Timing> = {}): SkippingClient {
  let waited = 0
  const timing: Timing = {
    ...systemTiming,
    now: () => systemTiming.now() + waited,
    async wait(ms, signal) {
      waited += ms
      await setImmediate()
      if (signal?.aborted) await systemTiming.wait(0, signal)
    },
    ...limits
  }
  const fetch = (request: Request) => globalThis.fetch(request)
  const api = createApi<paths>({ baseUrl, fetch })
  return { ...clientOf({ baseUrl, fetch, api, timing }), waited: () => waited }
}
