import type { Any } from 'cosmjs-types/google/protobuf/any'
import { NodeUnavailableError, type Simulation, type SimulationResult } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Chain, QueuedMessage, Signer, WalletState } from '../contract.ts'
import { expectedSequence, failedMessageIndex } from '../decide/sdk-errors.ts'
import {
  type ControlResponses,
  type ControlResult,
  controlMove,
  hasFailedAlone,
  isSameFailure,
  type Responses,
  type Simulated,
  type Verdict,
  verdictOf
} from '../decide/verdict.ts'
import { controlTransfer } from '../transaction.ts'
import type { EvidenceTable } from './evidence.ts'

const toAny = ({ typeUrl, message }: QueuedMessage): Any => ({ typeUrl, value: message })

const simulationOf = (messages: Any[], { publicKey }: Signer, sequence: number): Simulation => ({
  messages,
  publicKey,
  sequence
})

/** Asks nodes whether the chain accepts the control message. */
export function createControl(options: {
  chain: Pick<Chain, 'simulate'>
  wallet: Signer
  feeDenom: string
  controlRequest: Any
  walletState: () => Pick<WalletState, 'nextSequence' | 'controlPassed'>
  /** Called when the control request has passed twice. If it fails later, the chain's state is the cause. */
  setControlPassed: () => Promise<void>
}) {
  const { chain, wallet, feeDenom, controlRequest, walletState, setControlPassed } = options

  /**
   * Treats an unexpected sequence as a missing response: another transaction came first, or the node is behind.
   * @param sequence of an open slot; omit for the next slot
   */
  async function simulate(messages: Any[], sequence = walletState().nextSequence): Promise<Simulated> {
    const simulation = simulationOf(messages, wallet, sequence)
    const response = await chain.simulate(simulation)
    if (response.status === 'failed' && expectedSequence(response.log) !== undefined)
      return { status: 'unavailable', reason: shorten(response.log), timedOut: false }
    return response.status === 'passed' ? { ...response, simulation } : response
  }

  /**
   * Simulates the control message.
   * @param sequence of an open slot that no node has; omit for the next slot
   */
  async function control(sequence?: number): Promise<ControlResult> {
    const { controlPassed } = walletState()
    const known = { address: wallet.address, controlPassed }
    let said: ControlResponses = { request: [] }
    let move = controlMove(said, known)
    while (move.do === 'ask') {
      const { request: before } = said
      said =
        move.about === 'request'
          ? { request: [...before, await simulate([controlRequest], sequence)] }
          : {
              request: before,
              transfer: await simulate([controlTransfer(wallet.address, feeDenom)], sequence)
            }
      move = controlMove(said, known)
    }
    if (move.isProven) await setControlPassed()
    return move.result
  }

  return { simulate, control }
}

/** Asks nodes what `decide/verdict.ts` needs for its decisions. */
export function createExaminer(
  options: Parameters<typeof createControl>[0] & {
    chain: Pick<Chain, 'crossCheck'>
    evidence: Pick<EvidenceTable, 'forgetAll' | 'of'>
  }
) {
  const { chain, wallet, feeDenom, controlRequest, evidence, walletState } = options
  const { simulate, control: askControl } = createControl(options)
  /** Whether the chain refused the control message at the last check that got a response. */
  let isPaused = false

  /**
   * Asks other nodes about a simulation that one node has failed. The only configured node is asked again. A node that
   * refuses the wallet's own message too confirms nothing.
   */
  async function isConfirmed(messages: Any[], failed: Simulated | undefined): Promise<boolean> {
    if (failed?.status !== 'failed') return false
    const { nextSequence, controlPassed } = walletState()
    const simulation = simulationOf(messages, wallet, nextSequence)
    const own = controlPassed ? controlRequest : controlTransfer(wallet.address, feeDenom)
    const { agreed } = await chain.crossCheck<SimulationResult>({
      question: 'simulate',
      earlier: { node: failed.node, answer: failed },
      agree: (one, other) => isSameFailure(one, other, messages.length),
      async ask(node) {
        const response = await node.simulate(simulation)
        if (response.status === 'unavailable') throw new NodeUnavailableError(node.host, response.reason)
        if (response.status === 'passed') return response
        const isBehindControl = (failedMessageIndex(response.log, messages.length) ?? 0) > 0
        if (isBehindControl) return response
        const control = await node.simulate(simulationOf([own], wallet, nextSequence))
        if (control.status === 'passed') return response
        throw new NodeUnavailableError(node.host, "it refuses the wallet's own message too")
      }
    })
    return agreed !== undefined
  }

  async function control(sequence?: number): Promise<ControlResult> {
    const result = await askControl(sequence)
    // Failures recorded while the chain refused the control may have had the same cause.
    if (result.status === 'passed' && isPaused) evidence.forgetAll()
    if (result.status !== 'unavailable') isPaused = result.status !== 'passed'
    return result
  }

  return {
    simulate,
    control,
    /** Simulates a batch and, if that fails, the additional transactions that a verdict needs. */
    async examine(batch: readonly QueuedMessage[]): Promise<Exclude<Verdict, { do: 'ask' }>> {
      const messages = batch.map(toAny)
      const isPair = batch.some(({ waitsFor }) => waitsFor !== undefined)
      let said: Responses = { batch: await simulate(messages) }
      let verdict = verdictOf(batch.length, said, isPair)
      while (verdict.do === 'ask') {
        const { about, index } = verdict
        const suspect = messages.slice(index, index + 1)
        const pair = [controlRequest, ...suspect]
        if (about === 'pair') said = { ...said, pair: await simulate(pair) }
        else if (about === 'alone') said = { ...said, alone: await simulate(suspect) }
        else if (about === 'otherNodes') {
          const { alone } = said
          const asked = alone ? isConfirmed(suspect, alone) : isConfirmed(pair, said.pair)
          const hasFailed = hasFailedAlone(evidence.of(batch[index]?.submissionId ?? ''))
          said = { ...said, isConfirmed: (await asked) || hasFailed }
        } else said = { ...said, [about]: await control() }
        verdict = verdictOf(batch.length, said, isPair)
      }
      return verdict
    }
  }
}
