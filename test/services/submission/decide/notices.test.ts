import { BLOCKER_KINDS, type NoticeState } from '../../../../services/submission/contract.ts'
import { decideNotices } from '../../../../services/submission/decide/notices.ts'
import { test } from '../../../helpers/tap.ts'

const SECOND = 1000

/** @param steps the present blockers by second, such as `0 store-corrupt; 20`. @returns the events, with their second */
function play(steps: string): string[] {
  let state: NoticeState[] = []
  return steps.split('; ').flatMap(step => {
    const [second = '', ...present] = step.split(' ')
    const kinds = BLOCKER_KINDS.filter(kind => present.includes(kind))
    const blockers = kinds.map(kind => ({ kind, reason: 'a reason', since: 'a time' }))
    const decided = decideNotices(state, blockers, Number(second) * SECOND)
    state = decided.state
    return decided.notices.map(({ type, kind, since }) => `${second} ${type} ${kind} ${since / SECOND}`)
  })
}

const COMES_AND_GOES = Array.from(
  { length: 9 },
  (_, at) => `; ${20 + at * 60}${at % 2 ? ' node-unreachable' : ''}`
)
const NORMAL = 'catching-up looking-back fees-risen'

const CASES: [title: string, steps: string, events: string[]][] = [
  [
    'a blocker is reported once, and its end once',
    '0 store-corrupt; 9 store-corrupt; 10 store-corrupt; 11 store-corrupt; 20; 139; 140; 999',
    ['10 service.blocked store-corrupt 0', '140 service.unblocked store-corrupt 0']
  ],
  [
    'a short blocker is not reported',
    '0 node-unreachable; 9; 19; 20 node-unreachable; 29 node-unreachable',
    []
  ],
  [
    'a blocker that is away for less than 10 s is reported',
    '0 node-unreachable; 2; 11 node-unreachable; 13',
    ['11 service.blocked node-unreachable 0']
  ],
  [
    'a blocker that comes and goes is reported once',
    `0 node-unreachable; 10 node-unreachable${COMES_AND_GOES.join('')}`,
    ['10 service.blocked node-unreachable 0']
  ],
  [
    'a low balance is reported again when it recurs, but not its end',
    '0 low-balance; 10 low-balance; 20; 140; 200 low-balance; 210 low-balance',
    ['10 wallet.low_balance low-balance 0', '210 wallet.low_balance low-balance 200']
  ],
  ['normal conditions and notices that block nothing are not reported', `0 ${NORMAL}; 99 ${NORMAL}`, []],
  [
    'each kind of blocker is reported separately',
    '0 daily-fee-limit; 5 daily-fee-limit nodes-disagree; 15 daily-fee-limit nodes-disagree',
    ['15 service.blocked daily-fee-limit 0', '15 service.blocked nodes-disagree 5']
  ]
]

for (const [title, steps, events] of CASES) {
  test(title, async t => t.strictSame(play(steps).sort(), events))
}
