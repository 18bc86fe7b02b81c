import { HistoryPrunedError, NodeUnavailableError } from '../../../../services/chain-client/index.ts'
import { storedSigner, verifyChain } from '../../../../services/submission/lead/start.ts'
import { readWalletState } from '../../../../services/submission/opinions/account.ts'
import { chainBlock } from '../../../helpers/chain-block.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import { test } from '../../../helpers/tap.ts'
import { createMemoryDatabase } from '../../../simulation/store/memory-database.ts'
import { engineContext } from '../engine-context.ts'

const block = (height: number, hash = `B${height}`) => chainBlock(height, { hash })

test('checks the chain id and the block hash at the cursor', async t => {
  const { engine, script } = await engineContext()
  const verify = () => verifyChain(engine.chain, engine.walletState())
  script.block = height => block(height)
  t.equal(await verify(), true)
  script.block = height => block(height, 'FORK')
  await t.rejects(verify(), { name: 'ForeignChainError', message: /block 100 .*was restarted/ })
  script.block = () => undefined
  t.equal(await verify(), false, 'the node has pruned the block')
  const { block: readBlock } = engine.chain
  engine.chain.block = height => Promise.reject(new HistoryPrunedError(height, 500))
  t.equal(await verify(), false, 'all nodes have pruned the block')
  engine.chain.block = readBlock
  script.height = 99
  script.block = height => block(height, 'FORK')
  t.equal(await verify(), false, 'the node has not reached the block')
  const other = { ...engine.walletState(), chainId: 'chain-2' }
  await t.rejects(verifyChain(engine.chain, other), { name: 'ForeignChainError', message: /chain-1/ })
})

test('uses the block of the account’s state as the cursor', async t => {
  const { engine, script } = await engineContext()
  const { chain } = engine
  const store = await leadingStore(createMemoryDatabase().open())
  t.match(await readWalletState(chain, 'service1wallet'), /has no account on the chain/)
  script.account = () => ({ accountNumber: 5n, sequence: 9, height: 90 })
  await t.rejects(
    readWalletState(chain, 'service1wallet'),
    { name: 'NodesDisagreeError' },
    'the block is missing'
  )
  script.block = height => block(height)
  const state = {
    address: 'service1wallet',
    chainId: 'chain-1',
    accountNumber: 5n,
    nextSequence: 9,
    cursorHeight: 90,
    cursorHash: 'B90',
    canaryPassed: false
  }
  const read = await readWalletState(chain, 'service1wallet')
  t.strictSame(read, state)
  await store.putWalletState(state)
  t.strictSame(await storedSigner(store, 'service1wallet'), state)
  await t.rejects(storedSigner(store, 'service1other'), { name: 'StoreOwnerError' })
})

const ACCOUNT = { accountNumber: 5n, sequence: 9, height: 90 }

test('rejects the wallet state while nodes report different accounts, blocks or chains', async t => {
  for (const account of [{ ...ACCOUNT, sequence: 1009 }, { ...ACCOUNT, accountNumber: 6n }, undefined]) {
    const { engine, script } = await engineContext({ other: { account: () => account } })
    script.account = () => ACCOUNT
    script.block = height => block(height)
    const message =
      /^no two nodes agree on the wallet's account: node-1 reports account number 5 and sequence 9 at block 90; node-2 /
    await t.rejects(readWalletState(engine.chain, 'service1wallet'), { name: 'NodesDisagreeError', message })
  }
  const { engine, script } = await engineContext({ other: { block: height => block(height, 'FORK') } })
  script.account = () => ACCOUNT
  script.block = height => block(height)
  await t.rejects(readWalletState(engine.chain, 'service1wallet'), { message: /the same block 90/ })
  const one = await engineContext()
  one.script.account = () => ACCOUNT
  one.script.block = height => ({ ...block(height), chainId: 'chain-2' })
  await t.rejects(readWalletState(one.engine.chain, 'service1wallet'), {
    message: /block 90 belongs to chain chain-2/
  })
})

test('reads the account at the lower of the two nodes’ heights', async t => {
  const later = { ...ACCOUNT, height: 92 }
  const { engine, script } = await engineContext({
    other: { account: height => (height === 90 ? ACCOUNT : { ...later, sequence: 12 }) }
  })
  script.account = () => ACCOUNT
  script.block = height => block(height)
  t.match(await readWalletState(engine.chain, 'service1wallet'), { nextSequence: 9, cursorHeight: 90 })
  const same = await engineContext({ other: { account: () => later } })
  same.script.account = () => ACCOUNT
  same.script.block = height => block(height)
  t.match(await readWalletState(same.engine.chain, 'service1wallet'), { nextSequence: 9, cursorHeight: 90 })
})

test('rejects the wallet state while no node, or only one of two nodes, responds', async t => {
  const unavailable = () => {
    throw new NodeUnavailableError('node.example', 'no response')
  }
  const { engine, script } = await engineContext()
  script.account = unavailable
  await t.rejects(readWalletState(engine.chain, 'service1wallet'), { name: 'NodeUnavailableError' })
  const two = await engineContext({ other: { account: unavailable } })
  two.script.account = () => ACCOUNT
  await t.rejects(readWalletState(two.engine.chain, 'service1wallet'), { name: 'NodesDisagreeError' })
})

test('distrusts a forked node if another node has the right block', async t => {
  const { engine, script } = await engineContext()
  const distrusted: string[] = []
  engine.chain.distrust = node => {
    distrusted.push(node)
    script.block = height => block(height)
    return true
  }
  script.block = height => block(height, 'FORK')
  t.equal(await verifyChain(engine.chain, engine.walletState()), true)
  t.strictSame(distrusted, ['node-1'])
})
