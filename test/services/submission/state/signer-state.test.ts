import { HistoryPrunedError, NodeUnavailableError } from '../../../../services/chain-client/index.ts'
import {
  registerSigner,
  storedSigner,
  verifyChain
} from '../../../../services/submission/state/signer-state.ts'
import { engineContext } from '../../../helpers/engine-context.ts'
import { leadingStore } from '../../../helpers/leading-store.ts'
import { test } from '../../../helpers/tap.ts'
import { createMemoryStore } from '../../../simulation/memory-store/index.ts'

const block = (height: number, hash = `B${height}`) => ({
  chainId: 'chain-1',
  height,
  hash,
  previousHash: `B${height - 1}`,
  transactions: []
})

test('the node must have the chain and the block at the cursor', async t => {
  const { engine, script } = await engineContext()
  const verify = () => verifyChain(engine.chain, engine.signer())
  script.block = height => block(height)
  t.equal(await verify(), true)
  script.block = height => block(height, 'FORK')
  await t.rejects(verify(), { name: 'ForeignChainError', message: /block 100 .*was restarted/ })
  script.block = () => undefined
  t.equal(await verify(), false, 'the node has deleted the block')
  script.height = 99
  script.block = height => block(height, 'FORK')
  t.equal(await verify(), false, 'the node has not reached it')
  const other = { ...engine.signer(), chainId: 'chain-2' }
  await t.rejects(verifyChain(engine.chain, other), { name: 'ForeignChainError', message: /chain-1/ })
})

test('a wallet is registered as of the block of its account’s state', async t => {
  const { engine, script } = await engineContext()
  const { chain } = engine
  const store = await leadingStore(createMemoryStore())
  t.equal(await registerSigner(store, chain, 'service1wallet'), undefined, 'an unknown account')
  chain.account = async () => ({ accountNumber: 5n, sequence: 9, height: 90 })
  t.equal(await registerSigner(store, chain, 'service1wallet'), undefined, 'no such block')
  script.block = height => block(height)
  const state = {
    address: 'service1wallet',
    chainId: 'chain-1',
    accountNumber: 5n,
    nextSequence: 9,
    cursorHeight: 90,
    cursorHash: 'B90',
    probePassed: false
  }
  t.strictSame(await registerSigner(store, chain, 'service1wallet'), state)
  t.strictSame(await storedSigner(store, 'service1wallet'), state)
  await t.rejects(storedSigner(store, 'service1other'), { name: 'StoreOwnerError' })
})

test('a wallet is not registered while two answers about its account differ', async t => {
  const { engine, script } = await engineContext()
  const store = await leadingStore(createMemoryStore())
  script.block = height => block(height)
  const account = { accountNumber: 5n, sequence: 9, height: 90 }
  for (const other of [{ ...account, sequence: 1009 }, { ...account, accountNumber: 6n }, undefined]) {
    const answers = [account, other]
    engine.chain.account = async () => answers.shift()
    await t.rejects(registerSigner(store, engine.chain, 'service1wallet'), { name: 'NodeUnavailableError' })
    t.equal(await store.signer(), undefined)
  }
})

test('a wallet is not registered while the node does not answer', async t => {
  const { engine } = await engineContext()
  const store = await leadingStore(createMemoryStore())
  engine.chain.account = async () => {
    throw new NodeUnavailableError('node.example', 'no answer')
  }
  await t.rejects(registerSigner(store, engine.chain, 'service1wallet'), { name: 'NodeUnavailableError' })
  t.equal(await store.signer(), undefined)
})

test('a node with another history is passed over while another node has the right one', async t => {
  const { engine, script } = await engineContext()
  const distrusted: string[] = []
  engine.chain.distrust = node => {
    distrusted.push(node)
    script.block = height => block(height)
    return true
  }
  script.block = height => block(height, 'FORK')
  t.equal(await verifyChain(engine.chain, engine.signer()), true)
  t.strictSame(distrusted, ['node-1'])
})

test('a history that no node has any more cannot be compared', async t => {
  const { engine } = await engineContext()
  engine.chain.block = async height => {
    throw new HistoryPrunedError(height, 500)
  }
  t.equal(await verifyChain(engine.chain, engine.signer()), false)
})

test('a wallet is not registered with the account of one chain and the block of another', async t => {
  const { engine, script } = await engineContext()
  const store = await leadingStore(createMemoryStore())
  engine.chain.account = async () => ({ accountNumber: 5n, sequence: 9, height: 90 })
  script.block = height => ({ ...block(height), chainId: 'chain-2' })
  await t.rejects(registerSigner(store, engine.chain, 'service1wallet'), { name: 'NodeUnavailableError' })
  t.equal(await store.signer(), undefined)
})
