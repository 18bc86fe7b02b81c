import { HistoryPrunedError, NodeUnavailableError } from '../../../../services/chain-client/index.ts'
import { verifyChain } from '../../../../services/submission/lead/start.ts'
import { readWalletState } from '../../../../services/submission/opinions/account.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'
import { type ChainScript, engineContext } from '../engine-context.ts'

const ACCOUNT = { accountNumber: 5n, sequence: 9, height: 90 }

const block = (height: number) => chainBlock(height)
const fork = (height: number) => chainBlock(height, { hash: 'FORK' })

async function read(change: Partial<ChainScript>, other?: Partial<ChainScript>) {
  const { engine, script } = await engineContext(other && { other })
  Object.assign(script, { account: () => ACCOUNT, block }, change)
  return readWalletState(engine.chain, 'service1wallet')
}

test('checks the chain id and the block hash at the cursor', async t => {
  const { engine, script } = await engineContext()
  const verify = () => verifyChain(engine.chain, engine.walletState())
  script.block = block
  t.equal(await verify(), true)
  script.block = fork
  await t.rejects(verify(), { name: 'ForeignChainError', message: /block 100 .*was restarted/ })
  script.block = () => undefined
  t.equal(await verify(), false, 'the node has pruned the block')
  const { block: readBlock } = engine.chain
  engine.chain.block = height => Promise.reject(new HistoryPrunedError(height, 500))
  t.equal(await verify(), false, 'all nodes have pruned the block')
  engine.chain.block = readBlock
  script.height = 99
  script.block = fork
  t.equal(await verify(), false, 'the node has not reached the block')
  const other = { ...engine.walletState(), chainId: 'chain-2' }
  await t.rejects(verifyChain(engine.chain, other), { name: 'ForeignChainError', message: /chain-1/ })
})

test('uses the block of the account’s state as the cursor', async t => {
  t.match(await read({ account: () => undefined }), /has no account on the chain/)
  await t.rejects(read({ block: () => undefined }), { name: 'NodesDisagreeError' }, 'the block is missing')
  const state = {
    address: 'service1wallet',
    chainId: 'chain-1',
    accountNumber: 5n,
    nextSequence: 9,
    cursorHeight: 90,
    cursorHash: 'B90',
    canaryPassed: false
  }
  t.strictSame(await read({}), state)
})

test('rejects the wallet state while nodes report different accounts, blocks or chains', async t => {
  for (const account of [{ ...ACCOUNT, sequence: 1009 }, { ...ACCOUNT, accountNumber: 6n }, undefined]) {
    const message =
      /^no two nodes agree on the wallet's account: node-1 reports account number 5 and sequence 9 at block 90; node-2 /
    await t.rejects(read({}, { account: () => account }), { name: 'NodesDisagreeError', message })
  }
  await t.rejects(read({}, { block: fork }), { message: /the same block 90/ })
  const ofAnotherChain = (height: number) => chainBlock(height, { chainId: 'chain-2' })
  await t.rejects(read({ block: ofAnotherChain }), { message: /block 90 belongs to chain chain-2/ })
})

test('reads the account at the lower of the two nodes’ heights', async t => {
  const later = { ...ACCOUNT, height: 92 }
  const changed = (height?: number) => (height === 90 ? ACCOUNT : { ...later, sequence: 12 })
  for (const account of [changed, () => later]) {
    t.match(await read({}, { account }), { nextSequence: 9, cursorHeight: 90 })
  }
  t.match(await read({ account: () => later }, { account: () => ACCOUNT }), { cursorHeight: 90 })
})

test('rejects the wallet state while no node, or only one of two nodes, responds', async t => {
  const account = () => {
    throw new NodeUnavailableError('node.example', 'no response')
  }
  await t.rejects(read({ account }), { name: 'NodeUnavailableError' })
  await t.rejects(read({ block: account }), { name: 'NodeUnavailableError' })
  await t.rejects(read({}, { account }), { name: 'NodesDisagreeError' })
})

test('distrusts a forked node if another node has the right block', async t => {
  const { engine, script } = await engineContext()
  const distrusted: string[] = []
  engine.chain.distrust = node => {
    distrusted.push(node)
    script.block = block
    return true
  }
  script.block = fork
  t.equal(await verifyChain(engine.chain, engine.walletState()), true)
  t.strictSame(distrusted, ['node-1'])
})
