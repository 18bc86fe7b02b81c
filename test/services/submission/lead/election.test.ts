import type { Clock } from '../../../../services/clock.ts'
import type { Term, WalletState } from '../../../../services/submission/contract.ts'
import { createElection } from '../../../../services/submission/lead/election.ts'
import type { Leader } from '../../../../services/submission/lead/leader.ts'
import { keepingLog } from '../../../helpers/keeping-log.ts'
import { test } from '../../../helpers/tap.ts'

const account = { cursorHeight: 100 } as WalletState

/** Resolves after the callbacks of all settled promises have run. */
const turn = () => new Promise(resolve => setImmediate(resolve))

/** Creates an election that this process wins once. Timers never fire. */
function electionOf(stop = async () => {}, change: Partial<Leader> = {}) {
  let standings = 0
  let stepDown = () => {}
  const clock: Clock = { now: () => 0, elapsed: () => 0, after: () => () => {} }
  const election = createElection({
    store: {
      async lead() {
        standings += 1
        return standings === 1 ? ({ epoch: 7 } as Term) : undefined
      },
      walletState: async () => undefined
    },
    chain: { block: async () => undefined, status: async () => ({ chainId: 'chain-1', height: 1 }) },
    address: 'service1wallet',
    createLeader: () =>
      ({
        account,
        start: async () => {},
        stop,
        ended: new Promise<void>(resolve => {
          stepDown = resolve
        }),
        ...change
      }) as Leader,
    clock,
    log: keepingLog().log
  })
  return { election, stepDown: () => stepDown(), standings: () => standings }
}

test('stands for election immediately after another process steps down, but not after its own term ends', async t => {
  const { election, stepDown, standings } = electionOf()
  await election.start()
  stepDown()
  await turn()
  t.equal(election.account, account, 'still known, so that intake stays open')
  election.steppedDown(7)
  await turn()
  t.equal(standings(), 1)
  election.steppedDown(8)
  await turn()
  t.equal(standings(), 2)
  await election.stop()
})

test('does not stand for election while stopping', async t => {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const { election, stepDown, standings } = electionOf(() => ended)
  await election.start()
  const stopped = election.stop()
  stepDown()
  await turn()
  election.steppedDown(8)
  await turn()
  t.equal(standings(), 1)
  end()
  await stopped
})

test('stops a term that cannot begin, but ignores the error if the term has already ended', async t => {
  for (const isEnded of [false, true]) {
    let stops = 0
    const stop = async () => {
      stops += 1
    }
    const start = () => Promise.reject(new Error('cannot begin'))
    const { election, stepDown } = electionOf(stop, { start, isEnded })
    if (isEnded) await election.start()
    else await t.rejects(election.start(), { message: 'cannot begin' })
    t.equal(stops, isEnded ? 0 : 1)
    stepDown()
    await election.stop()
  }
})
