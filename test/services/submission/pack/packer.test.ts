import { UNTIL_WOKEN } from '../../../../services/async/loop.ts'
import type { SimulationResult } from '../../../../services/chain-client/index.ts'
import { StoreCorruptError } from '../../../../services/submission/errors.ts'
import { createPacker } from '../../../../services/submission/pack/packer.ts'
import { newestTx } from '../../../../services/submission/slots.ts'
import { block, consumed } from '../../../helpers/store-data.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, failed, passed, sequenceMismatch, unavailable } from '../engine-context.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

const packerWith = (...queued: string[]) => packerOf(true, queued)

/** Creates the same packer on a chain where the canary has not passed yet. */
const packerOfNewChain = (...queued: string[]) => packerOf(false, queued)

async function packerOf(canaryPassed: boolean, queued: string[]) {
  const context = await engineContext({ canaryPassed })
  await context.queue(...queued)
  const { engine, markAllSent, time } = context
  return {
    ...context,
    step: createPacker(engine),
    packed() {
      const slot = engine.slots.get(engine.walletState().nextSequence - 1)
      if (!slot) throw new TypeError('nothing was packed')
      return newestTx(slot)
    },
    /** Marks all open slots as sent, and advances the clock until the packer no longer waits to fill a batch. */
    sendAll(): void {
      markAllSent()
      time.elapsed += 1000
    }
  }
}

const unnamed = failed('something is wrong')
const unauthorized = failed('the creator is not whitelisted: unauthorized')
const paused = failed('failed to execute message; message index: 0: the module is paused', 3, 'transaction')

test('adds the gas margin to the simulated gas of a batch, and signs each batch for the next sequence', async t => {
  const { step, engine, queue, packed, sendAll, store } = await packerWith('a', 'b')
  t.equal(await step(), 0)
  t.match(packed(), { gasLimit: 300_000, feeAmount: 3000n, submissionIds: ['a', 'b'], sequence: 7 })
  sendAll()
  await queue('c')
  t.equal(await step(), 0)
  t.match(packed(), { sequence: 8, submissionIds: ['c'] })
  t.equal(engine.walletState().nextSequence, 9)
  t.match(await store.walletState(), { nextSequence: 9 })
  sendAll()
  await queue('x'.repeat(20_000))
  t.equal(await step(), 0)
  t.equal(packed().gasLimit, 300_000, 'at least ten gas for each byte')
  sendAll()
  await queue('d')
  engine.blame.failures = () => 9
  t.equal(await step(), 0)
  t.equal(packed().gasLimit, 600_000, 'four times, however often it has failed')
})

test('halves a batch until its fee is within the daily limit, and waits if even a single message’s fee exceeds the limit', async t => {
  const { step, packed, engine, sendAll, kinds } = await packerWith('a', 'b', 'c', 'd')
  const { settings, blockers } = engine
  settings.dailyFeeLimit = 3500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 3000n, submissionIds: ['a', 'b'] })
  sendAll()
  t.equal(await step(), 2000)
  t.equal(engine.slots.size, 1)
  t.match(blockers.present, [
    { kind: 'daily-fee-limit', reason: /paid 0, inOpenSlots 3000, added 1500, limit 3500/ }
  ])
  settings.dailyFeeLimit = 4500n
  t.equal(await step(), 0)
  t.match(packed(), { feeAmount: 1500n, submissionIds: ['c'] })
  t.strictSame(kinds(), [])
})

test('counts the most expensive transaction of an open slot towards the daily limit, even after a cheaper one', async t => {
  const { step, engine, open, sendAll } = await packerWith('a', 'b', 'c')
  const first = await open(['a'], { feeAmount: 4000n })
  engine.slots.add({ ...first, feeAmount: 1000n })
  sendAll()
  engine.settings.dailyFeeLimit = 5000n
  t.equal(await step(), 2000)
  t.match(engine.blockers.present, [{ reason: /paid 0, inOpenSlots 4000, / }])
})

test('counts fees from today’s blocks towards the daily limit, and raises no blocker while the queue is empty', async t => {
  const { step, engine, queue, open, failFirstSlot, time } = await packerWith('a')
  engine.settings.dailyFeeLimit = 5000n
  await open(['a'], { feeAmount: 4000n })
  await failFirstSlot()
  time.elapsed += 1000
  t.equal(await step(), 2000)
  t.match(engine.blockers.present, [{ reason: /paid 4000, inOpenSlots 0, added 3000, limit 5000/ }])
  await engine.store.reject('a', { code: 1, codespace: 'x', message: 'cancelled' })
  await step()
  t.strictSame(engine.blockers.present, [])
  await queue('b')
  t.equal(await step(), 2000)
})

test('treats the daily limit as reached while the fees already paid cannot be read, and logs the reason', async t => {
  const { step, engine, entries, store, kinds } = await packerWith('a')
  const { feesPaidToday } = store
  engine.settings.dailyFeeLimit = 5000n
  store.feesPaidToday = () => Promise.reject(new StoreCorruptError('fee_day', 'unknown', 'amount'))
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['daily-fee-limit'])
  t.match(entries.at(-1), { level: 'error', fields: { reason: /fee_day/ } })
  store.feesPaidToday = feesPaidToday
  t.equal(await step(), 0)
  t.strictSame(kinds(), [])
})

test('packs nothing while a slot is unsent or 64 slots are open', async t => {
  const { step, queue, open, sendAll, simulations, packed, time } = await packerWith(...ids(64))
  for (const id of ids(63)) await open([id])
  time.elapsed += 1000
  t.equal(await step(), UNTIL_WOKEN, 'one slot is unsent')
  sendAll()
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['id-63'] })
  await queue('late')
  sendAll()
  t.equal(await step(), UNTIL_WOKEN, '64 slots are open')
  t.strictSame(simulations, [1, 1], 'the first gas figure is confirmed by a second simulation')
})

test('packs nothing while open slots request as much gas as two blocks', async t => {
  for (const [lastGas, pause] of [
    [2_499_999, 0],
    [2_500_000, UNTIL_WOKEN]
  ] as const) {
    const { step, open, sendAll } = await packerWith(...ids(9))
    for (const id of ids(7)) await open([id], { gasLimit: 2_500_000 })
    await open(['id-7'], { gasLimit: lastGas })
    sendAll()
    t.equal(await step(), pause)
  }
})

test('shrinks a batch to the gas left in its block if at least one message fits', async t => {
  const { step, open, sendAll, packed, queue } = await packerWith('a')
  t.equal(await step(), 0)
  t.equal(packed().gasLimit, 150_000)
  await queue(...ids(21))
  // The last two go into the next block. There, the limit of 10,000,000 leaves 900,000 gas, enough for six messages.
  for (const [index, gasLimit] of [9_100_000, 8_000_000, 1_100_000].entries())
    await open([`id-${index}`], { gasLimit })
  sendAll()
  t.equal(await step(), 0)
  t.match(packed(), { gasLimit: 900_000, submissionIds: { length: 6 } })
})

test('limits a batch to a quarter of the block’s size limit, but packs at least one message', async t => {
  // Each message is four bytes plus 100 bytes of overhead.
  for (const [blockBytes, messages] of [
    [4 * 3 * 104, 3],
    [4 * 3 * 104 - 1, 2],
    [1, 1]
  ] as const) {
    const { step, script, packed } = await packerWith(...ids(9))
    script.blockBytes = blockBytes
    t.equal(await step(), 0)
    t.equal(packed().submissionIds.length, messages)
  }
})

test('packs at most 500 messages while simulations are fast', async t => {
  const { step, script, packed, sendAll } = await packerWith(...ids(1100))
  script.simulate = messages => passed(messages)
  for (const size of [128, 256, 500]) {
    t.equal(await step(), 0)
    t.equal(packed().submissionIds.length, size)
    sendAll()
  }
})

test('packs the message behind 500 that rest', async t => {
  const { step, engine, packed } = await packerWith(...ids(501))
  for (const id of ids(500)) engine.blame.rest(id)
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ['id-500'])
})

test('packs the message behind 500 damaged ones, and logs each of those once', async t => {
  const { step, engine, packed, entries } = await packerWith('a')
  const { queued } = engine.store
  engine.store.queued = (limit, onDamage) => {
    for (const id of ids(500)) onDamage?.(new StoreCorruptError('submission', id, 'message'))
    return queued(limit - 500)
  }
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(await step(), 0)
  t.strictSame(packed().submissionIds, ['a'])
  t.equal(entries.filter(({ level }) => level === 'error').length, 500)
})

test('splits messages that failed together into halves, and keeps them apart from other messages', async t => {
  const { step, engine, packed, sendAll } = await packerWith(...ids(6))
  engine.blame.together = id => [2, 2, 2, undefined, 1, 1][Number(id.at(-1))]
  for (const batch of [['id-0', 'id-1'], ['id-2'], ['id-3'], ['id-4'], ['id-5']]) {
    t.equal(await step(), 0)
    t.strictSame(packed().submissionIds, batch)
    sendAll()
  }
})

test('waits longer to fill a batch when more slots are open, even if the wall clock is set back', async t => {
  const { step, open, markAllSent, queue, time } = await packerWith(...ids(4))
  for (const id of ids(3)) await open([id])
  markAllSent()
  t.equal(await step(), 0, 'nothing was signed recently')
  markAllSent()
  await queue('e')
  time.now -= 60_000
  t.equal(await step(), 8, 'two milliseconds per open slot, for four slots')
  time.elapsed += 8
  t.equal(await step(), 0)
})

test('lets a single message request a whole block’s gas, and rejects it once three simulations have needed more', async t => {
  const fitting = await packerWith('a')
  Object.assign(fitting.script, { blockGas: 9_000_000, simulate: () => passed(9_000_000) })
  t.equal(await fitting.step(), 0)
  t.equal(fitting.packed().gasLimit, 9_000_000, 'the margin is capped at the block’s gas')
  t.strictSame(fitting.settled, [])

  const tooBig = await packerWith('a')
  tooBig.script.simulate = (_messages, _isControl, isCanary) => passed(isCanary ? 100_000 : 10_000_001)
  for (const pauseMs of [250, 500]) {
    t.equal(await tooBig.step(), 0)
    t.equal(await tooBig.step(), pauseMs, 'the message waits to be simulated again')
    t.strictSame(tooBig.settled, [])
    tooBig.time.elapsed += pauseMs
  }
  t.equal(await tooBig.step(), 0)
  const message = 'needs 10000001 gas, but a transaction may request at most 10000000: invalid gas limit'
  const error = { code: 41, codespace: 'sdk', message }
  t.match(tooBig.settled, [{ submissionId: 'a', status: 'rejected', error }])
})

test('requests no more gas than is allowed for each message and for a transaction', async t => {
  for (const [maxMessageGas, maxTransactionGas, gasLimit] of [
    [140_000, 10_000_000, 280_000],
    [10_000_000, 270_000, 270_000]
  ] as const) {
    const { step, engine, packed } = await packerWith('a', 'b')
    Object.assign(engine.settings, { maxMessageGas, maxTransactionGas })
    t.equal(await step(), 0)
    t.match(packed(), { submissionIds: ['a', 'b'], gasLimit })
  }
})

test('shrinks a batch that needs too much gas until it fits', async t => {
  const { step, script, simulations, packed } = await packerWith('a', 'b')
  script.simulate = messages => passed(5_000_000 * messages)
  t.equal(await step(), 0)
  t.strictSame(simulations, [2, 2, 1])
  t.match(packed(), { submissionIds: ['a'], gasLimit: 7_500_000 })
})

test('rejects a message that fails alone three times, each time with more gas, unless the control fails too', async t => {
  const { step, script, packed, markAllSent, failFirstSlot, time, settled } = await packerWith('a')
  const { simulate } = script

  async function failThreeTimes(): Promise<void> {
    for (const gasLimit of [150_000, 300_000, 600_000]) {
      time.elapsed += 1000
      t.equal(await step(), 0)
      t.equal(packed().gasLimit, gasLimit)
      markAllSent()
      await failFirstSlot()
      t.strictSame(settled, [])
    }
  }

  await failThreeTimes()
  script.simulate = () => unavailable
  t.equal(await step(), 250)
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.strictSame(settled, [])
  script.simulate = simulate
  // The failed control has reset the failure count.
  await failThreeTimes()
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'a', status: 'rejected', error: { code: 11, message: 'out of gas' } }])
})

test('signs messages while a new chain refuses both controls, and does not reject one after three failures', async t => {
  const { step, script, settled, kinds, markAllSent, failFirstSlot, time } = await packerOfNewChain('a')
  const { simulate } = script
  script.simulate = (messages, isTransfer, isCanary) =>
    isTransfer || isCanary ? paused : passed(100_000 * messages)
  for (let failures = 0; failures < 3; failures++) {
    time.elapsed += 1000
    t.equal(await step(), 0)
    markAllSent()
    await failFirstSlot()
  }
  time.elapsed += 1000
  await step()
  t.strictSame([settled, kinds()], [[], []])
  script.simulate = simulate
  time.elapsed += 10_000
  await step()
  t.strictSame(settled, [], 'failures count only while a control passes')
})

for (const [kind, answer] of [
  ['requests-refused', paused],
  ['wallet-not-whitelisted', unauthorized]
] as const) {
  test(`rejects nothing and simulates only the canary while the chain refuses it: ${kind}`, async t => {
    const { step, script, queue, settled, engine, packed, simulations } = await packerWith('a', 'b')
    const { simulate } = script
    script.simulate = () => answer
    t.equal(await step(), 2000)
    t.match(engine.blockers.present, [{ kind, reason: /paused|whitelisted/ }])
    const before = simulations.length
    await queue('c')
    t.equal(await step(), 2000)
    t.strictSame(simulations.slice(before), [1])
    t.strictSame(settled, [])
    script.simulate = simulate
    t.equal(await step(), 0)
    t.strictSame(engine.blockers.present, [])
    t.match(packed(), { submissionIds: ['a', 'b', 'c'] })
  })
}

test('uses a transfer as the control until the canary has passed twice in a row', async t => {
  for (const passes of [0, 1]) {
    const { step, script, settled, kinds, simulations } = await packerOfNewChain('a', 'b')
    script.simulate = (_, isControl) => (isControl || simulations.length <= passes ? passed(1) : paused)
    t.equal(await step(), 0)
    t.match(settled, [{ submissionId: 'a', error: { code: 3, codespace: 'transaction' } }])
    t.strictSame(kinds(), [])
  }
})

test('signs a message whose simulation passes only together with the canary, and lets the block decide', async t => {
  const { step, script, settled, packed } = await packerWith('a')
  script.simulate = (messages, _isControl, isCanary) => (isCanary ? passed(100_000 * messages) : paused)
  t.equal(await step(), 0)
  t.strictSame(settled, [])
  t.match(packed(), { submissionIds: ['a'], gasLimit: 300_000 })
})

test('halves a refused batch if the message that the chain names passes with the canary, or alone', async t => {
  for (const passesWithCanary of [true, false]) {
    const { step, script, settled, packed } = await packerWith('a', 'b')
    script.simulate = (messages, _isControl, isCanary) =>
      messages === 1 || (isCanary && passesWithCanary) ? passed(100_000 * messages) : paused
    t.equal(await step(), 0)
    t.strictSame(settled, [])
    t.strictSame([packed().submissionIds, packed().gasLimit], [['a'], 150_000])
  }
})

test('does not reject a message if an absurd gas figure is reported only when simulating with the canary', async t => {
  const { step, script, settled, packed } = await packerWith('a')
  const { simulate } = script
  script.simulate = (_messages, _isControl, isCanary) => (isCanary ? passed(2 ** 52) : paused)
  t.equal(await step(), 250)
  t.strictSame(settled, [])
  script.simulate = simulate
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['a'], gasLimit: 150_000 })
})

test('does not reject a message for an absurd gas figure that is reported only once or twice', async t => {
  const once = await packerWith('a')
  const { simulate } = once.script
  once.script.simulate = () => {
    once.script.simulate = simulate
    return passed(2 ** 52)
  }
  t.equal(await once.step(), 0)
  t.match(once.packed(), { gasLimit: 150_000 })

  const twice = await packerWith('a')
  twice.script.simulate = () => passed(2 ** 52)
  t.equal(await twice.step(), 250, 'the node reports the same gas for the canary')
  t.strictSame(twice.settled, [])
  twice.script.simulate = (_messages, _isControl, isCanary) => passed(isCanary ? 100_000 : 2 ** 52)
  t.equal(await twice.step(), 0)
  t.strictSame(twice.settled, [])
  twice.time.elapsed += 250
  twice.script.simulate = simulate
  t.equal(await twice.step(), 0)
  t.match(twice.packed(), { gasLimit: 150_000 })
})

test('signs a message again for which only one of two nodes reports too much gas, even after a failure', async t => {
  const { engine, script, queue } = await engineContext({ other: { simulate: () => passed(100_000) } })
  await queue('a')
  engine.blame.failures = () => 1
  script.simulate = (_messages, _isControl, isCanary) => passed(isCanary ? 100_000 : 2 ** 52)
  t.equal(await createPacker(engine)(), 0)
  t.strictSame(engine.slots.gasLimits, [10_000_000])
})

test('halves a batch whose simulation is too slow, and limits the next batch to the reduced size', async t => {
  const { step, script, simulations, packed, time, sendAll } = await packerWith(...ids(100))
  script.simulate = messages => {
    time.elapsed += messages * 100
    if (messages > 30) return { status: 'unavailable', late: true, reason: 'time-out' }
    return passed(1000 * messages)
  }
  t.equal(await step(), 0)
  t.strictSame(simulations.slice(0, 3), [100, 50, 25])
  t.equal(packed().submissionIds.length, 25)
  sendAll()
  simulations.length = 0
  t.equal(await step(), 0)
  t.strictSame(simulations, [25], 'the batch size does not grow')
})

test('halves a batch whose simulation gets no response, and sets a single message aside', async t => {
  const { step, script, packed, time, markAllSent, entries } = await packerWith('bad', 'b', 'c', 'd')
  const { simulate } = script
  script.simulate = (messages, _isControl, isCanary) => (isCanary ? passed(100_000 * messages) : unavailable)
  t.equal(await step(), 0)
  t.match(entries.at(-1), { level: 'warn', fields: { submissionId: 'bad' } })
  script.simulate = simulate
  const packedIds: string[] = []
  for (let batches = 0; batches < 3; batches++) {
    time.elapsed += 60
    if ((await step()) !== 0) break
    packedIds.push(...packed().submissionIds)
    markAllSent()
  }
  t.strictSame(packedIds, ['b', 'c', 'd'])
  t.ok(Number.isFinite(await step()), 'the packer wakes to retry the message')
  time.elapsed += 250
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['bad'] })
})

test('does not set a message aside while no node responds', async t => {
  for (const [queued, late] of [
    [['a', 'b'], false],
    [['a'], true]
  ] as const) {
    const { step, script, simulations } = await packerWith(...queued)
    script.simulate = () => ({ ...unavailable, late })
    t.equal(await step(), 250)
    t.equal(await step(), 250)
    const { length } = queued
    t.strictSame(simulations, [length, 1, length, 1], 'the batch, then the canary')
  }
})

test('halves a batch whose refusal names no message until one message is rejected', async t => {
  const { step, script, simulations, settled } = await packerOfNewChain('a', 'b', 'c', 'd', 'e')
  script.simulate = (_, isControl) => (isControl ? passed(1) : unnamed)
  t.equal(await step(), 0)
  t.strictSame(
    simulations,
    [1, 5, 1, 3, 1, 2, 1, 1, 1, 1, 1],
    'the canary comes first and follows each refusal'
  )
  t.match(settled, [{ submissionId: 'a', status: 'rejected', error: { message: 'something is wrong' } }])
})

test('needs few simulations to reject many messages', async t => {
  const bad = Array.from({ length: 200 }, (_, index) => `bad-${index}`)
  const { step, script, simulations, settled, engine, sendAll } = await packerWith(...bad, ...ids(100))
  script.simulate = (messages, _isControl, isCanary) =>
    settled.length === 200
      ? passed(10_000 * messages)
      : failed(`failed to execute message; message index: ${isCanary ? 1 : 0}: no`)
  while ((await engine.store.queued(1)).length > 0) {
    await step()
    sendAll()
  }
  t.equal(settled.length, 200)
  const simulated = simulations.reduce((sum, messages) => sum + messages, 0)
  t.ok(simulated < 1500, `simulated ${simulated} messages to handle 300 submissions`)
  t.ok(engine.slots.size < 10, 'valid messages still share transactions')
})

test('does not reject any message while the control fails too', async t => {
  for (const [control, pause] of [
    [failed('no funds', 5), 0],
    [unavailable, 2000]
  ] as const) {
    const { step, script, settled, engine, kinds } = await packerOfNewChain('a')
    script.simulate = (_, isControl) => (isControl ? control : unnamed)
    t.equal(await step(), pause)
    t.strictSame(settled, [])
    t.equal(engine.slots.size, 0)
    t.strictSame(kinds(), [])
  }
})

test('does not reject a lone message because of a refusal received before the control passed', async t => {
  const { step, script, settled, packed } = await packerOfNewChain('a')
  const { simulate } = script
  let controls = 0
  script.simulate = (messages, isControl, isCanary) => {
    if (isControl) controls += 1
    // The first control is part of the check at the start of the term.
    if (controls === 2) script.simulate = simulate
    return isControl ? simulate(messages, isControl, isCanary) : failed('account not found', 22)
  }
  t.equal(await step(), 0)
  t.strictSame(settled, [])
  t.match(packed(), { submissionIds: ['a'] })
})

test('does not reject a lone message that one node refuses while another node passes the control', async t => {
  /** The responding node changes on every request, or only before or after the second refusal. */
  const changes = [
    () => true,
    (refusals: number, isMessage: boolean) => isMessage && refusals === 1,
    (refusals: number) => refusals === 2
  ]
  for (const isChanged of changes) {
    for (const packer of [await packerOfNewChain('a'), await packerWith('a')]) {
      const { step, script, settled, engine } = packer
      const { simulate } = engine.chain
      script.simulate = (_, isControl, isCanary) =>
        isControl || (isCanary && packer.simulations.length > 1) ? passed(1) : unnamed
      let node = 0
      let refusals = 0
      engine.chain.simulate = async simulation => {
        const isMessage = simulation.messages[0]?.typeUrl === '/example.Msg'
        if (isChanged(refusals, isMessage)) node += 1
        if (isMessage) refusals += 1
        return { ...(await simulate(simulation)), node: `node-${node}` }
      }
      await step()
      t.strictSame(settled, [])
      t.equal(engine.slots.size, 0)
    }
  }
})

test('does not reject a message because of an unexpected sequence', async t => {
  const { step, script, settled } = await packerWith('a')
  const mismatch = failed(sequenceMismatch(9, 7), 32)
  script.simulate = (_, isControl) => (isControl ? passed(1) : mismatch)
  t.equal(await step(), 250)
  t.strictSame(settled, [])
})

test('rejects only the submission whose own content looks like a refusal of the wallet', async t => {
  const { step, script, settled, packed, sendAll, kinds } = await packerWith('bad', 'good')
  let canaries = 0
  script.simulate = (messages, _isControl, isCanary) => {
    if (isCanary) canaries += 1
    const index = isCanary ? 1 : 0
    return settled.length > 0
      ? passed(100_000 * messages)
      : failed(`failed to execute message; message index: ${index}: no target "whitelist me": unauthorized`)
  }
  t.equal(await step(), 0)
  t.match(settled, [{ submissionId: 'bad', status: 'rejected', error: { message: /"whitelist me"/ } }])
  t.equal(canaries, 1, 'the canary and the message share one transaction')
  t.strictSame(kinds(), [])
  sendAll()
  t.equal(await step(), 0)
  t.match(packed(), { submissionIds: ['good'] })
})

test('does not reject any message if the whitelist changes or nodes stop responding during the checks', async t => {
  for (const [refusals, canaries, pause, blockers] of [
    [9, [passed(100_000), unauthorized], 2000, ['wallet-not-whitelisted']],
    [1, [passed(100_000)], 0, []],
    [9, [unavailable, unavailable], 250, []]
  ] as const) {
    const { step, script, settled, kinds } = await packerWith('a')
    const [messages, controls] = [Array<SimulationResult>(refusals).fill(unauthorized), [...canaries]]
    script.simulate = (_messages, _isControl, isCanary) =>
      (isCanary ? controls : messages).shift() ?? passed(100_000)
    t.equal(await step(), pause)
    t.strictSame(settled, [])
    t.strictSame(kinds(), blockers)
  }
})

test('while nothing is queued, checks the canary until it passes, and checks it again after a refusal', async t => {
  const { step, script, engine, simulations, queue, kinds } = await packerOfNewChain()
  const { simulate } = script
  script.simulate = () => unauthorized
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['wallet-not-whitelisted'])
  script.simulate = () => unavailable
  t.equal(await step(), 2000)
  t.strictSame(kinds(), ['wallet-not-whitelisted'], 'a missing response proves nothing')
  script.simulate = simulate
  t.equal(await step(), UNTIL_WOKEN)
  t.strictSame(kinds(), [])
  t.ok(engine.walletState().canaryPassed, 'the canary passed twice')
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(simulations.length, 4, 'no further canary')

  await queue('a')
  script.simulate = () => unauthorized
  await step()
  await engine.store.reject('a', { code: 1, codespace: 'x', message: 'gone' })
  script.simulate = simulate
  t.equal(await step(), UNTIL_WOKEN)
  t.equal(simulations.length, 7, 'the submission, the canary that confirms its refusal, and the canary again')
  t.strictSame(kinds(), [])
})

test('repacks a batch if a foreign transaction uses its sequence first', async t => {
  const { step, engine, packed } = await packerWith('a')
  const { openSlot } = engine.store
  engine.store.openSlot = async signedTx => {
    engine.store.openSlot = openSlot
    await engine.store.applyBlock(block(101, consumed(7, [], 'foreign')))
    return openSlot(signedTx)
  }
  t.equal(await step(), 250)
  t.strictSame([engine.slots.size, engine.walletState().nextSequence], [0, 7], 'the store comes first')
  engine.setWalletState({ ...engine.walletState(), nextSequence: 8 })
  t.equal(await step(), 0)
  t.match(packed(), { sequence: 8, submissionIds: ['a'] })
})

test('simulates nothing during the pause after a signer failure, and doubles the pause each time up to 10 s', async t => {
  const { step, engine, queue, packed, sendAll, time, simulations } = await packerWith('a')
  const { wallet, blockers } = engine
  const { signDirect } = wallet
  let asked = 0
  const throttled = {
    async signDirect() {
      asked += 1
      throw new Error('throttled')
    }
  }
  Object.assign(wallet, throttled)
  for (const rest of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const before = asked
    t.equal(await step(), rest)
    t.equal(asked, before + 1)
    t.match(blockers.present, [{ kind: 'signer-unavailable', reason: 'throttled' }])
    const priced = simulations.length
    time.elapsed += rest - 10
    await queue(`another-${asked}`)
    t.equal(await step(), 10)
    t.equal(asked, before + 1)
    t.equal(simulations.length, priced)
    time.elapsed += 10
  }
  Object.assign(wallet, { signDirect })
  t.equal(await step(), 0)
  t.equal(packed().submissionIds.length, 7)
  t.strictSame(blockers.present, [])
  Object.assign(wallet, throttled)
  sendAll()
  await queue('last')
  t.equal(await step(), 1000, 'the first pause after a signature')
})

test('clears the signer and daily-limit blockers once nothing is queued or open', async t => {
  const { step, engine, store, open, markAllSent, kinds } = await packerWith('a', 'b')
  Object.assign(engine.wallet, {
    async signDirect() {
      throw new Error('away')
    }
  })
  t.equal(await step(), 1000)
  engine.blockers.raise('daily-fee-limit', 'replacing the transaction in a slot would exceed the limit')
  const { sequence } = await open(['b'])
  markAllSent()
  await engine.store.reject('a', { code: 1, codespace: 'operator', message: 'cancelled' })
  await step()
  t.strictSame(kinds(), ['signer-unavailable', 'daily-fee-limit'], 'an open slot may still need a signature')
  engine.slots.remove(sequence)
  await step()
  t.strictSame(kinds(), [])
  t.match(await store.find('a'), { status: 'rejected' })
})
