import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { checkFor, type SchemaCheck } from '../schema-check.ts'
import { saysNotFound, UpstreamError } from './errors.ts'
import { createUpstream, type UpstreamObserver } from './index.ts'

const Found = checkFor(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))

/** Reads the chain's REST API (interface 19.4). Methods throw UpstreamError and UpstreamTimeoutError. */
export interface ChainApi {
  name: string
  /** Reads a path below the module path. Returns undefined if the chain reports that nothing exists there. */
  get<T extends TSchema>(path: string, shape: SchemaCheck<T>): Promise<Static<T> | undefined>
  /**
   * Finds a record; undefined if the chain reports that it does not exist.
   * @param path path below the module path, without the id
   * @param property property of the response that contains the record
   */
  find(path: string, id: string, property: string): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

/**
 * @param options.modulePath path of the brand's modules below `baseUrl`, without a trailing slash
 */
export function createChainApi(options: {
  baseUrl: string
  modulePath: string
  observe?: UpstreamObserver
}): ChainApi {
  const { baseUrl, modulePath, observe } = options
  const upstream = createUpstream({ name: 'chain API', baseUrl, observe })

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
    async find(path, id, property) {
      const answer = await get(`${path}/${encodeURIComponent(id)}`, Found)
      if (answer === undefined) return undefined
      if (answer[property] === undefined)
        throw new UpstreamError(upstream.name, `the response has no ${property}`)
      return answer[property]
    },
    close: upstream.close
  }
}
