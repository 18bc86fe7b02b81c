import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { checkFor, type SchemaCheck } from '../schema-check.ts'
import { saysNotFound, UpstreamError } from './errors.ts'
import { createUpstream, type UpstreamObserver } from './index.ts'

const Found = checkFor(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))

/** The chain's REST API (interface 19.3). Its methods throw UpstreamError and UpstreamTimeoutError. */
export interface ChainApi {
  /** Name in the log. */
  readonly name: string
  /**
   * @param path under the module path
   * @param shape the expected shape of the answer
   * @returns undefined when the chain says that there is no such thing
   */
  get<T extends TSchema>(path: string, shape: SchemaCheck<T>): Promise<Static<T> | undefined>
  /**
   * @param path under the module path, without the id
   * @param property the property of the answer that holds the record
   * @returns undefined when the chain says that there is no such thing
   */
  find(path: string, id: string, property: string): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

/**
 * @param options.baseUrl URL of the REST API
 * @param options.modulePath path of the brand's modules under it, without a slash at the end
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
        throw new UpstreamError(upstream.name, `no ${property} in the answer`)
      return answer[property]
    },

    close: upstream.close
  }
}
