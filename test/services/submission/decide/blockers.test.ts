import { BLOCKER_KINDS, type BlockerKind } from '../../../../services/submission/contract.ts'
import {
  BLOCKERS,
  blockerOf,
  closing,
  ENDS,
  HALTING,
  isIncomplete,
  isOfBlocks
} from '../../../../services/submission/decide/blockers.ts'
import { read } from '../../../helpers/repository.ts'
import { test } from '../../../helpers/tap.ts'

test('docs/alerts.md has a row for each blocker with its text from BLOCKERS', async t => {
  const rows = read('docs/alerts.md').split('\n')
  for (const kind of BLOCKER_KINDS) {
    const { check, raised, ends, action } = BLOCKERS[kind]
    const row = rows.find(line => line.startsWith(`| \`${check ?? 'engine'}\` | \`${kind}\` |`))
    t.ok(row?.includes(` ${raised} ${action} `), kind)
    t.ok(row?.includes(`| ${ENDS[ends]}`), `${kind}: how it ends`)
  }
})

const withName = (name: string) => Object.assign(new Error(), { name })

const ERRORS: [name: string, kind: BlockerKind, isOfBlocks: boolean][] = [
  ['WalletUnknownError', 'wallet-unknown', false],
  ['UnsupportedAccountError', 'account-unsupported', false],
  ['NodeUnavailableError', 'node-unreachable', true],
  ['ResultsUnreadableError', 'results-unreadable', true],
  ['HistoryPrunedError', 'history-pruned', true],
  ['ForeignChainError', 'foreign-chain', true],
  ['NodesDisagreeError', 'nodes-disagree', true],
  ['StoreUnavailableError', 'store-unavailable', false],
  ['StoreCorruptError', 'store-corrupt', false],
  ['TypeError', 'internal-error', false]
]
test('each kind of worker error raises its own blocker', async t => {
  for (const [name, kind, ofBlocks] of ERRORS) {
    t.equal(blockerOf(withName(name)), kind)
    t.equal(isOfBlocks(withName(name)), ofBlocks, name)
  }
  t.equal(blockerOf('no error'), 'internal-error')
})

test('nothing is signed or sent while blocks or the store cannot be read', async t => {
  const unreadable = ['history-pruned', 'results-unreadable', 'nodes-disagree', 'store-corrupt']
  t.strictSame(HALTING, ['foreign-chain', ...unreadable])
})

const CLOSING: [kinds: BlockerKind[], code: string | undefined, reason?: RegExp][] = [
  [[], undefined],
  [['signer-unavailable', 'node-unreachable', 'requests-refused', 'wallet-shared'], undefined],
  [['price-refused'], 'INTAKE_CLOSED', /refuse the fee/],
  [['looking-back'], 'INTAKE_CLOSED', /past transactions/],
  [['catching-up'], 'INTAKE_CLOSED', /latest blocks/],
  [['foreign-chain'], 'INTAKE_CLOSED', /another chain/],
  [['history-pruned'], 'INTAKE_CLOSED', /has the blocks/],
  [['results-unreadable'], 'INTAKE_CLOSED', /has the results/],
  [['nodes-disagree'], 'INTAKE_CLOSED', /disagree/],
  [['store-corrupt'], 'INTAKE_CLOSED', /damaged/],
  [['results-differ', 'verification-behind'], undefined],
  [['executions-differ'], 'INTAKE_CLOSED', /has executed/],
  [['wallet-not-whitelisted'], 'WALLET_NOT_WHITELISTED'],
  [['daily-fee-limit'], 'DAILY_FEE_LIMIT'],
  [['nodes-disagree', 'daily-fee-limit'], 'DAILY_FEE_LIMIT']
]
test('closes intake while nothing can be executed', async t => {
  for (const [kinds, code, reason] of CLOSING) {
    const closed = closing(kinds.map(kind => ({ kind })))
    t.equal(closed?.code, code, kinds.join())
    t.match(closed?.reason ?? '', reason ?? '')
  }
  const incomplete = BLOCKER_KINDS.filter(kind => isIncomplete([{ kind: 'low-balance' }, { kind }]))
  t.strictSame(incomplete, ['looking-back', 'catching-up'])
})
