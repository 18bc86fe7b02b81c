import type { Test } from 'tap'
import type { Network, Variables } from '../helpers/app.ts'
import { operatorQueries } from '../helpers/operator.ts'
import { contradictions, type Requested, readChainOverRpc, type Told } from '../helpers/oracle/index.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { look } from './transfers.ts'

/** Code of the only allowed failure: execution might need more gas than the simulation reported. */
const OUT_OF_GAS = 11

/**
 * Compares all responses to clients with every block of the chain and with the final status of each submission.
 * @param answers responses to requests from `ownRequest`, by feeId; an empty list if there was none
 */
export async function assertAnswersHold(
  t: Test,
  network: Omit<Network, 'env'>,
  url: string,
  answers: ReadonlyMap<string, readonly Told[]>
): Promise<void> {
  const requests: Requested[] = []
  for (const [feeId, given] of answers) {
    const ids = new Set(given.flatMap(answer => ('submissionId' in answer && answer.submissionId) || []))
    const present = await Promise.all([...ids].map(id => look(url, id)))
    requests.push({ feeId, told: [...given, ...present], ...ownRequest(feeId) })
  }
  const truth = await readChainOverRpc(network.urls.rpc, network.addresses.development)
  const found = contradictions(truth, requests)
  t.strictSame(found, [], 'every response matches the chain')
  const failures = truth.failures.filter(code => code !== OUT_OF_GAS)
  t.strictSame(failures, [], 'no transaction failed for any reason but gas')
}

/**
 * Asserts that the store has one event for each settled submission, with the submission's state, and no other events of
 * submissions. The servers must have been started with `AWAY_WEBHOOK` and may still be running.
 */
export async function assertEventsHold(t: Test, network: Pick<Network, 'env'>, variables: Variables) {
  const queries = await operatorQueries(t, network, variables)
  const events = await queries.events({})
  const submissions = await queries.list({ states: ['committed', 'rejected'] })
  const expected = submissions.map(({ submission }) => `msg_${submission.submissionId}_${submission.status}`)
  t.ok(expected.length > 0, `${expected.length} settled submissions`)
  // A slow chain can also block the service for a while.
  const ids = events.map(({ eventId }) => eventId).filter(eventId => !/_(un)?blocked$/.test(eventId))
  t.strictSame(ids.sort(), expected.sort(), 'each settled submission has one event')
}
