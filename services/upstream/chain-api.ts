import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { checkFor, type SchemaCheck } from '../schema-check.ts'
import { saysNotFound, UpstreamError } from './errors.ts'
import { createUpstream, type UpstreamObserver } from './index.ts'

const Found = checkFor(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))

export type ChainApi = ReturnType<typeof createChainApi>

/**
 * Reads the chain's REST API (interface 19.4). Methods throw UpstreamError and UpstreamTimeoutError.
 * @param options.modulePath path of the brand's modules below `baseUrl`, without a trailing slash
 */
export function createChainApi(options: { baseUrl: string; modulePath: string; observe?: UpstreamObserver }) {
  const { baseUrl, modulePath, observe } = options
  const upstream = createUpstream({ name: 'chain API', baseUrl, observe })

  /** Reads a path below the module path. Returns undefined if the chain reports that nothing exists there. */
  async function get<T extends TSchema>(path: string, shape: SchemaCheck<T>): Promise<Static<T> | undefined> {
    try {
      return await upstream.get(`${modulePath}${path}`, shape)
    } catch (error) {
      if (saysNotFound(error)) return undefined
      throw error
    }
  }

  return {
    name: upstream.name,
    get,
    /**
     * Finds a record; undefined if the chain reports that it does not exist.
     * @param path path below the module path, without the id
     * @param property property of the response that contains the record
     */
    async find(path: string, id: string, property: string): Promise<Record<string, unknown> | undefined> {
      const answer = await get(`${path}/${encodeURIComponent(id)}`, Found)
      if (answer === undefined) return undefined
      if (answer[property] === undefined)
        throw new UpstreamError(upstream.name, `the response has no ${property}`)
      return answer[property]
    },
    close: upstream.close
  }
}
