import { startNetwork } from '../helpers/app.ts'
import { durableStores, type StorePlace } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { operatorTool } from '../helpers/operator.ts'
import { t as root, type Test, test } from '../helpers/tap.ts'

/** A network and a store with two committed submissions and one that the chain refused by an event. */
async function settledStore(t: Test, place: StorePlace) {
  const devnet = await startNetwork(t)
  const { engine, submit, stop } = await startEngine(t, devnet, { open: place.open })
  const refusedTarget = { targetAddress: '0x00000000000000000000000000000000000000f6' }
  const taken = [await submit('a'), await submit('b'), await submit('refused', refusedTarget)]
  const settled = await Promise.all(taken.map(({ submissionId }) => engine.settled(submissionId, 60_000)))
  t.strictSame(
    settled.map(({ status }) => status),
    ['committed', 'committed', 'rejected']
  )
  const ids = taken.map(({ submissionId }) => submissionId)
  return { devnet, stop, ids, tool: operatorTool(t, devnet, place.env) }
}

const stores = Object.entries(await durableStores(root))

for (const [name, { newPlace }] of stores) {
  test(`${name}: settled submissions match the blocks, also beside a running server`, async t => {
    const place = await newPlace(t)
    const { tool } = await settledStore(t, place)
    const { code, out, err } = await tool('verify', '--from', '1')
    t.equal(code, 0)
    t.equal(err, '')
    t.match(out, /^Blocks 1 to \d+: 2 committed submissions match, 0 differences\.\n$/)
  })

  test(`${name}: every kind of difference is reported, with exit code 1`, async t => {
    const place = await newPlace(t)
    const { stop, ids, tool } = await settledStore(t, place)
    await stop()
    const [a, b, refused] = ids
    await place.execute(`UPDATE submission SET tx_id = 77 WHERE submission_id = '${a}'`)
    const wrongId = await tool('verify', '--from', '1')
    t.equal(wrongId.code, 1)
    t.match(wrongId.out.split('\n'), [
      `${a} is committed, but no such transaction executed it`,
      new RegExp(`^${a} is committed, but executed by transaction [0-9A-F]{64} in block \\d+, txId \\d$`),
      /1 committed submissions match, 2 differences/
    ])
    await place.execute(`UPDATE submission SET status = 'rejected', error = '{"code":1,"codespace":"x","message":"y"}'
    WHERE submission_id = '${a}'`)
    t.match(await tool('verify', '--from', '1'), {
      code: 1,
      out: new RegExp(`^${a} is rejected, but executed by`)
    })
    await place.execute(
      `UPDATE submission SET status = 'queued', sequence = NULL WHERE submission_id = '${a}'`
    )
    t.match(await tool('verify', '--from', '1'), {
      code: 1,
      out: new RegExp(`^${a} is queued, but executed by`)
    })
    await place.execute(`DELETE FROM submission WHERE submission_id = '${a}'`)
    t.match(await tool('verify', '--from', '1'), {
      code: 0,
      out: /1 committed submissions match, 0 differences\.\n1 executed requests of the wallet are not in the store/
    })
    await place.execute(`UPDATE submission SET status = 'committed', transaction_hash = 'AA', gas_used = 1, gas_wanted = 1,
    events = '[]' WHERE submission_id = '${refused}'`)
    t.match(await tool('verify', '--from', '1'), {
      code: 1,
      out: new RegExp(
        `^${refused} is committed, but no such transaction executed it\n.*1 committed submissions match`
      )
    })
    t.ok(b)
  })

  test(`${name}: the range must have been read, and the node must have it`, async t => {
    const place = await newPlace(t)
    const { devnet, tool } = await settledStore(t, place)
    t.match(await tool('verify', '--from', '100000'), {
      code: 1,
      err: /^--from 100000 is after block \d+, the newest/
    })
    devnet.control.prune(2)
    t.match(await tool('verify', '--from', '1'), {
      code: 1,
      err: /^no node has block 1 any more; the lowest that is left is 2/
    })
  })
}
