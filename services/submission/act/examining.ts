import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Simulation } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Chain, QueuedMessage, Signer, WalletState } from '../contract.ts'
import { expectedSequence } from '../decide/sdk-errors.ts'
import {
  type ControlResponses,
  type ControlResult,
  controlMove,
  type Responses,
  type Simulated,
  type Verdict,
  verdictOf
} from '../decide/verdict.ts'
import { controlTransfer } from '../transaction.ts'
import type { EngineState } from './state.ts'

const toAny = ({ typeUrl, message }: QueuedMessage): Any => ({ typeUrl, value: message })

/**
 * Asks nodes what `decide/verdict.ts` needs for its decisions. The node pool checks each refusal with a second node.
 */
export function createExaminer(options: {
  chain: Pick<Chain, 'simulate'>
  wallet: Signer
  feeDenom: string
  controlRequest: Any
  evidence: Pick<EngineState['evidence'], 'forgetAll'>
  walletState: () => Pick<WalletState, 'nextSequence' | 'controlPassed'>
  /** The control request has passed twice. From now on, the chain's state is the cause if it fails. */
  setControlPassed: () => Promise<void>
}) {
  const { chain, wallet, feeDenom, controlRequest, evidence, walletState, setControlPassed } = options
  /** Whether the chain has refused the control since the control last passed. */
  let isPaused = false

  /**
   * Treats an unexpected sequence as a missing response: another transaction came first, or the node is behind.
   * @param sequence of an open slot; omit for the next slot
   */
  async function simulate(messages: Any[], sequence = walletState().nextSequence): Promise<Simulated> {
    const simulation: Simulation = { messages, publicKey: wallet.publicKey, sequence }
    const response = await chain.simulate(simulation)
    if (response.status === 'failed' && expectedSequence(response.log) !== undefined)
      return { status: 'unavailable', reason: shorten(response.log), late: false }
    return response.status === 'passed' ? { ...response, simulation } : response
  }

  async function askControl(sequence: number | undefined) {
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

  /**
   * Simulates the wallet's own message.
   * @param sequence of an open slot that no node has; omit for the next slot
   */
  async function control(sequence?: number): Promise<ControlResult> {
    const result = await askControl(sequence)
    // The pause itself may have caused the failures recorded since it began.
    if (result.status === 'passed' && isPaused) evidence.forgetAll()
    if (result.status !== 'unavailable') isPaused = result.status !== 'passed'
    return result
  }

  return {
    simulate,
    control,
    /** Simulates a batch and, if that fails, what else is needed for a verdict. */
    async examine(batch: readonly QueuedMessage[]): Promise<Exclude<Verdict, { do: 'ask' }>> {
      const messages = batch.map(toAny)
      const isPair = batch.some(({ waitsFor }) => waitsFor !== undefined)
      let said: Responses = { batch: await simulate(messages) }
      let verdict = verdictOf(batch.length, said, isPair)
      while (verdict.do === 'ask') {
        const { about, index } = verdict
        const suspect = messages.slice(index, index + 1)
        if (about === 'pair') said = { ...said, pair: await simulate([controlRequest, ...suspect]) }
        else if (about === 'alone') said = { ...said, alone: await simulate(suspect) }
        else said = { ...said, [about]: await control() }
        verdict = verdictOf(batch.length, said, isPair)
      }
      return verdict
    }
  }
}
