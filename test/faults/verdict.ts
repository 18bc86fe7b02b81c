import type { Test } from 'tap'
import type { Network } from '../helpers/network.ts'
import { contradictions, readChainOverRpc, type Told } from '../helpers/oracle/index.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { look } from './transfers.ts'

/** Code of the only allowed failure: execution might need more gas than the simulation reported. */
const OUT_OF_GAS = 11

/** Number of submissions read concurrently. */
const READ_AT_ONCE = 32

/** Reads the current state of every submission in the responses. */
async function presentStates(url: string, answers: readonly Told[]): Promise<Told[]> {
  const ids = [...new Set(answers.flatMap(answer => ('submissionId' in answer ? [answer.submissionId] : [])))]
  return Promise.all(ids.map(id => look(url, id ?? '')))
}

/**
 * Compares all responses to clients with every block of the chain and with the final status of each submission.
 * @param url URL of the service
 * @param answers responses to requests from `ownRequest`, by feeId; an empty list if there was none
 * @returns the highest number of messages in a transaction, and the number of messages rejected by events
 */
export async function assertAnswersHold(
  t: Test,
  network: Omit<Network, 'env'>,
  url: string,
  answers: ReadonlyMap<string, readonly Told[]>
): Promise<{ largest: number; refused: number }> {
  const requests = []
  const entries = [...answers]
  while (entries.length > 0) {
    const read = entries.splice(0, READ_AT_ONCE).map(async ([feeId, given]) => {
      const told = [...given, ...(await presentStates(url, given))]
      return { feeId, told, ...ownRequest(feeId) }
    })
    requests.push(...(await Promise.all(read)))
  }
  const truth = await readChainOverRpc(network.urls.rpc, network.addresses.development, network.earlier)
  const found = contradictions(truth, requests)
  t.strictSame(found, [], 'every response matches the chain')
  const failures = truth.failures.filter(code => code !== OUT_OF_GAS)
  t.strictSame(failures, [], 'no transaction failed for any reason but gas')
  const sizes = new Map<string, number>()
  for (const { tx } of truth.messages) sizes.set(tx.hash, (sizes.get(tx.hash) ?? 0) + 1)
  const largest = Math.max(...sizes.values())
  const refused = truth.messages.filter(({ outcome }) => outcome === 'refused').length
  t.comment(`${sizes.size} transactions of up to ${largest} messages, ${refused} refused by events`)
  return { largest, refused }
}
