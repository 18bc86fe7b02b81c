import type { Test } from 'tap'
import type { Devnet } from '../../devnet/index.ts'
import { DEVELOPMENT_WALLET } from '../../devnet/wallets.ts'
import { createChainClient } from '../../services/chain-client/index.ts'
import type { Logger } from '../../services/logger.ts'
import { createMessageTypes, type MsgRequestTransaction } from '../../services/messages/index.ts'
import { probeRequest } from '../../services/messages/probe.ts'
import { createSubmissionEngine } from '../../services/submission/engine.ts'
import type { EngineSettings } from '../../services/submission/runtime/context.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionRequest } from '../../services/submission/types.ts'
import { createSigner } from '../../services/wallet/signer.ts'
import { temporaryFolder } from './app.ts'

const { requestTransaction } = createMessageTypes('service')
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** How long a test lets the chain decide; a bound for the case of a fault, not a measure. */
export const PATIENCE_MS = 30_000

interface EngineOptions {
  /** The data directory of an engine before this one; a new one when left out. */
  directory?: string
  mnemonic?: string
  nodes?: string[]
  settings?: Partial<EngineSettings>
}

/** The engine at work on that network, over sockets and with a store on disk; stopped when the test ends. */
export async function startEngine(t: Test, devnet: Devnet, options: EngineOptions = {}) {
  const { directory = temporaryFolder(t), mnemonic = DEVELOPMENT_WALLET, nodes = [devnet.urls.rpc] } = options
  const wallet = await createSigner({ mnemonic, prefix: 'service' })
  const probe = probeRequest('service', wallet.address)
  const store = createSqliteStore(directory)
  const chain = createChainClient({ nodes, timeoutMs: 2000 })
  const settings = { feeDenom: 'uSERVICE', gasPrice: '0.025', gasMultiplier: '1.5', ...options.settings }
  const engine = createSubmissionEngine({ store, chain, wallet, probe, settings, log: silent })
  let stopped = false

  /** Ends the engine between two steps, as a process that stops does. */
  async function stop(): Promise<void> {
    if (stopped) return
    stopped = true
    await engine.stop()
    await chain.close()
    await store.close()
  }

  t.teardown(stop)
  await engine.start().catch(async error => {
    await stop()
    throw error
  })

  return {
    engine,
    store,
    directory,
    address: wallet.address,
    stop,
    submit: (feeId: string, change: Partial<MsgRequestTransaction> = {}) =>
      engine.submit(transferRequest(feeId, { creator: wallet.address, ...change }))
  }
}

/** A transfer whose identity is its feeId. */
export function transferRequest(feeId: string, change: Partial<MsgRequestTransaction>): SubmissionRequest {
  const message = requestTransaction.fromPartial({ ...TRANSFER, ...change })
  message.options ||= JSON.stringify({ feeId, signature: '0xsigned' })
  const { typeUrl } = requestTransaction
  return { identity: `fee:${feeId}`, typeUrl, message: requestTransaction.encode(message).finish() }
}

const TRANSFER = {
  originChain: 'ETH',
  originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  originSymbol: 'USDT',
  targetChain: 'POL',
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  targetSymbol: 'USDC',
  amount: '100',
  fee: '0.05'
}
