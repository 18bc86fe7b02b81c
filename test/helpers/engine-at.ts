import type { Test } from 'tap'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import { createChainClient } from '../../services/chain-client/index.ts'
import { type Clock, systemClock } from '../../services/clock.ts'
import type { Logger } from '../../services/logger.ts'
import { encodeControlRequest } from '../../services/messages/control-request.ts'
import { createMessageTypes, type MsgRequestTransaction } from '../../services/messages/index.ts'
import type { EngineSettings } from '../../services/submission/act/tools.ts'
import type { SubmissionRequest, SubmissionStore } from '../../services/submission/contract.ts'
import { createSubmissionEngine } from '../../services/submission/engine.ts'
import { createIdentify, identified } from '../../services/submission/identities.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { createSigner } from '../../services/wallet/signer.ts'
import { type Network, temporaryFolder } from './app.ts'
import { keepingLog } from './keeping-log.ts'
import { ownRequest } from './transfer.ts'

interface EngineOptions {
  /** Data directory of an earlier engine; a new directory when omitted. */
  directory?: string
  /** Opens the store for a wallet address; the embedded store in `directory` when omitted. */
  open?: (owner: string) => Promise<SubmissionStore>
  mnemonic?: string
  nodes?: string[]
  log?: Logger
  settings?: Partial<EngineSettings>
  clock?: Clock
  /** Clock for the pauses and timeouts of node calls. */
  chainClock?: Clock
}

/** Starts the engine on a network, with real sockets and a store on disk. The engine stops when the test ends. */
export async function startEngine(t: Test, network: Pick<Network, 'urls'>, options: EngineOptions = {}) {
  const { directory = temporaryFolder(t), mnemonic = DEVELOPMENT_WALLET, log = keepingLog().log } = options
  const { nodes = [network.urls.rpc], clock = systemClock, chainClock = systemClock } = options
  const wallet = await createSigner({ mnemonic, prefix: 'service' })
  const controlRequest = encodeControlRequest('service', wallet.address)
  const store = (await options.open?.(wallet.address)) ?? createSqliteStore(directory)
  const chain = createChainClient({ nodes, timeoutMs: 2000, log, clock: chainClock })
  const settings = { feeDenom: 'uSERVICE', gasPrice: '0.025', lookBackBlocks: 1000, ...options.settings }
  const identify = createIdentify('service', wallet.address)
  const parts = { store, chain, wallet, controlRequest, identify, settings, log, clock }
  const engine = createSubmissionEngine(parts)
  let stopped = false

  /** Stops the engine between two steps, as a shutdown does. */
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

  const { address } = wallet
  const submit = (feeId: string, change: Partial<MsgRequestTransaction> = {}) =>
    engine.submit(transferRequest(feeId, { creator: address, ...change }))
  return { engine, chain, store, directory, address, stop, submit }
}

const { requestTransaction } = createMessageTypes('service')

/** A transfer as the submit route passes it to the engine; with its feeId. */
export function transferRequest(
  feeId: string,
  change: Pick<MsgRequestTransaction, 'creator'> & Partial<MsgRequestTransaction>
): SubmissionRequest {
  const message = requestTransaction.fromPartial({ ...ownRequest(feeId).fields, ...change })
  const { typeUrl } = requestTransaction
  return { ...identified(message), typeUrl, message: requestTransaction.encode(message).finish() }
}
