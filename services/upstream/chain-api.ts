import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { UpstreamError, UpstreamRefusalError } from './errors.ts'
import { createUpstream } from './index.ts'

const Found = TypeCompiler.Compile(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))

/** gRPC's codes, as the chain's REST gateway passes them on, for an id that does not exist or never can. */
const GRPC_INVALID_ARGUMENT = 3
const GRPC_NOT_FOUND = 5

/**
 * True for a refusal that says: there is no such thing. Modules that wrap the SDK's error lose the code on the way,
 * so the SDK's own words count too.
 */
function saysNotFound(error: unknown): boolean {
  if (!(error instanceof UpstreamRefusalError)) return false
  const { upstreamCode, reason = '' } = error
  if (upstreamCode === GRPC_NOT_FOUND || upstreamCode === GRPC_INVALID_ARGUMENT) return true
  return typeof upstreamCode === 'number' && reason.includes('key not found')
}

/** The chain's REST API. Every method throws UpstreamError or UpstreamTimeoutError when the chain does not answer. */
export interface ChainApi {
  /** What the log calls it. */
  readonly name: string
  /**
   * What lies at a path under the module path; undefined when the chain says that there is no such thing.
   * @param shape what the answer must be
   */
  get<T extends TSchema>(path: string, shape: TypeCheck<T>): Promise<Static<T> | undefined>
  /**
   * One thing by its id; undefined when the chain has no such thing.
   * @param path of the query under the module path, without the id
   * @param property of the answer that holds it
   */
  find(path: string, id: string, property: string): Promise<Record<string, unknown> | undefined>
  close(): Promise<void>
}

/**
 * @param options.baseUrl `{chain_api_url}` of the specification
 * @param options.modulePath path of the brand's modules under it, without a slash at its end
 */
export function createChainApi(options: { baseUrl: string; modulePath: string }): ChainApi {
  const { baseUrl, modulePath } = options
  const upstream = createUpstream({ name: 'chain API', baseUrl })

  async function get<T extends TSchema>(path: string, shape: TypeCheck<T>): Promise<Static<T> | undefined> {
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
