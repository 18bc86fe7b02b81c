import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { briefly } from './brief-cache.ts'
import { createUpstream, UpstreamError, UpstreamRefusalError } from './upstream.ts'

const REGISTRY_LIFETIME_MS = 10_000

const RegistryChain = Type.Object({
  /** The chain's short name. */
  symbol: Type.String(),
  tokens: Type.Array(
    Type.Object({ symbol: Type.String(), decimals: Type.String({ pattern: '^[0-9]{1,2}$' }) })
  )
})

/** A chain as the chain's own registry lists it; `decimals` is text there. */
export type RegistryChain = Static<typeof RegistryChain>

const Registry = TypeCompiler.Compile(Type.Object({ Chain: Type.Array(RegistryChain) }))
const Found = TypeCompiler.Compile(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())))

/** gRPC's codes, as the chain's REST gateway passes them on, for an id that does not exist or never can. */
const GRPC_INVALID_ARGUMENT = 3
const GRPC_NOT_FOUND = 5

/** Modules that wrap the SDK's error lose the code on the way, so the SDK's own words count too. */
function saysNotFound({ upstreamCode, reason = '' }: UpstreamRefusalError): boolean {
  if (upstreamCode === GRPC_NOT_FOUND || upstreamCode === GRPC_INVALID_ARGUMENT) return true
  return typeof upstreamCode === 'number' && reason.includes('key not found')
}

/** The chain's REST API. Every method throws UpstreamError or UpstreamTimeoutError when the chain does not answer. */
export interface ChainApi {
  /** What the log calls it. */
  readonly name: string
  /** The chain's registry; at most ten seconds old. */
  chains(): Promise<RegistryChain[]>
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

  return {
    name: upstream.name,

    chains: briefly(
      REGISTRY_LIFETIME_MS,
      async () => (await upstream.get(`${modulePath}/chains/chain`, Registry)).Chain
    ),

    async find(path, id, property) {
      try {
        const answer = await upstream.get(`${modulePath}${path}/${encodeURIComponent(id)}`, Found)
        if (answer[property] === undefined)
          throw new UpstreamError(upstream.name, `no ${property} in the answer`)
        return answer[property]
      } catch (error) {
        if (error instanceof UpstreamRefusalError && saysNotFound(error)) return undefined
        throw error
      }
    },

    close: upstream.close
  }
}
