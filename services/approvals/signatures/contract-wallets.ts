import { Type } from '@sinclair/typebox'
import { checkFor } from '../../schema-check.ts'
import { createUpstream, type UpstreamObserver } from '../../upstream/index.ts'

const RpcResponse = checkFor(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() }))
  })
)

/** JSON-RPC error code of a reverted call. */
const REVERTED = 3

export type ContractWallets = ReturnType<typeof createContractWallets>

/** Checks signatures with a chain's contract wallets (ERC-1271; ERC-6492 if a wallet is not deployed yet). */
export function createContractWallets(chain: string, rpcUrl: string, observe?: UpstreamObserver) {
  const rpc = createUpstream({ name: `RPC of ${chain}`, baseUrl: rpcUrl, observe })

  async function call(method: string, params: unknown): Promise<unknown> {
    const { result, error } = await rpc.post('', { jsonrpc: '2.0', id: 1, method, params }, RpcResponse)
    if (error === undefined) return result
    if (error.code === REVERTED || /revert/i.test(error.message)) throw new RevertedError()
    throw rpc.fault(`error ${error.code}: ${error.message.slice(0, 300)}`)
  }

  return {
    /** @param signature hex with 0x @throws UpstreamError, UpstreamTimeoutError if the RPC returns no result */
    async accepts(address: string, text: string, signature: string): Promise<boolean> {
      // Load viem only when it is needed: it loads slowly, and most servers never use it.
      const [{ createClient, custom, getAddress }, { verifyMessage }] = await Promise.all([
        import('viem'),
        import('viem/actions')
      ])
      let failure: unknown
      const request = async ({ method, params }: { method: string; params?: unknown }) => {
        try {
          return await call(method, params)
        } catch (error) {
          if (!(error instanceof RevertedError)) failure = error
          throw error
        }
      }
      const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
      const parameters = { address: getAddress(address), message: text, signature: hexOf(signature) }
      // If a call fails, viem reports an invalid signature or throws an error of its own. Report the original error
      // instead.
      const isAccepted = await verifyMessage(client, parameters).catch(() => false)
      if (failure !== undefined) throw failure
      return isAccepted
    },
    close: rpc.close
  }
}

class RevertedError extends Error {
  override name = 'RevertedError'
}

function hexOf(signature: string): `0x${string}` {
  return `0x${signature.slice(2)}`
}
