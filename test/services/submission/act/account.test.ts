import { HistoryPrunedError } from '../../../../services/chain-client/index.ts'
import { readWalletState } from '../../../../services/submission/act/account.ts'
import { verifyChain } from '../../../../services/submission/act/start.ts'
import { test } from '../../../helpers/tap.ts'
import { chainBlock } from '../../chain-block.ts'
import { type ChainScript, engineContext, silent } from './engine-context.ts'

const ACCOUNT = { accountNumber: 5n, sequence: 9, height: 90 }
const later = { ...ACCOUNT, height: 92 }

const fork = (height: number) => chainBlock(height, { hash: 'FORK' })

async function read(change: Partial<ChainScript>, other?: Partial<ChainScript>) {
  const { engine, script } = await engineContext(other)
  Object.assign(script, { account: () => ACCOUNT }, change)
  return readWalletState(engine.chain, 'service1wallet')
}

test('checks the chain id and the cursor’s block hash, unless no node has the block', async t => {
  const { engine, script } = await engineContext()
  const verify = (change: object = {}) => verifyChain(engine.chain, { ...engine.walletState(), ...change })
  const block = (height: number) => chainBlock(height)
  script.block = block
  t.equal(await verify(), true)
  await t.rejects(verify({ chainId: 'chain-2' }), { name: 'ForeignChainError', message: /chain-1/ })
  script.block = fork
  await t.rejects(verify(), { name: 'ForeignChainError', message: /block 100 .*was restarted/ })
  const quarantined: string[] = []
  engine.chain.quarantine = node => {
    quarantined.push(node)
    script.block = block
    return true
  }
  t.equal(await verify(), true, 'another node has the right block')
  t.strictSame(quarantined, ['node-1'])
  script.height = 99
  script.block = fork
  t.equal(await verify(), false, 'the node has not reached the block')
  script.height = 100
  engine.chain.block = height => Promise.reject(new HistoryPrunedError(height, 500))
  t.equal(await verify(), false, 'all nodes have pruned the block')
})

test('uses the block of the account’s state as the cursor', async t => {
  t.strictSame(await read({}), {
    address: 'service1wallet',
    chainId: 'chain-1',
    accountNumber: 5n,
    nextSequence: 9,
    cursorHeight: 90,
    cursorHash: 'B90',
    cursorResultsHash: 'NONE',
    controlPassed: false
  })
  for (const [account, refusal] of [
    [undefined, { name: 'WalletUnknownError', message: /has no account on the chain/ }],
    [{ typeUrl: '/x.Odd' }, { name: 'UnsupportedAccountError', message: /type \/x\.Odd/ }]
  ] as const)
    await t.rejects(read({ account: () => account }), refusal)
})

const disagree =
  /^no two nodes agree on the wallet's account: node-1 reports account number 5 and sequence 9 at block 90; node-2 /
const onlyAt90 = (height?: number) => (height === 90 ? { ...ACCOUNT, sequence: 8 } : later)
const onOther = (height: number) => chainBlock(height, { chainId: 'chain-2' })

type Row = [what: string, one: Partial<ChainScript>, other: Partial<ChainScript> | undefined, refusal: RegExp]

const REFUSED: Row[] = [
  ['nodes report different sequences', {}, { account: () => ({ ...ACCOUNT, sequence: 1009 }) }, disagree],
  ['nodes report different numbers', {}, { account: () => ({ ...ACCOUNT, accountNumber: 6n }) }, disagree],
  ['nodes report the same sequence, but at different blocks', {}, { account: onlyAt90 }, disagree],
  ['one node has another prefix', {}, { account: () => ({ expectedPrefix: 'x' }) }, /whose prefix is x$/],
  ['one node knows no account', {}, { account: () => undefined }, disagree],
  ['nodes have different blocks', {}, { block: fork }, /the same block 90/],
  ['the only node lacks the block', { block: () => undefined }, undefined, /the same block 90/],
  ['the block is of another chain', { block: onOther }, undefined, /block 90 belongs to chain chain-2/],
  ['only one of two nodes responds', {}, { account: silent }, /^no two nodes agree/],
  ['the only node is silent', { account: silent }, undefined, /none reports the account/],
  ['the only node cannot give the block', { block: silent }, undefined, /none has block 90/]
]

for (const [what, one, other, message] of REFUSED) {
  test(`stores no account while ${what}`, async t => t.rejects(read(one, other), { message }))
}

test('reads the account at the lower of the two nodes’ heights', async t => {
  const unchanged = (height = 92) => ({ ...ACCOUNT, height })
  const changed = (height?: number) => (height === 90 ? ACCOUNT : { ...later, sequence: 12 })
  for (const account of [unchanged, changed]) {
    t.match(await read({}, { account }), { nextSequence: 9, cursorHeight: 90 })
    t.match(await read({ account }, { account: () => ACCOUNT }), { nextSequence: 9, cursorHeight: 90 })
  }
})
