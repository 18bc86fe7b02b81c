import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import {
  chainsCode,
  quoteCode,
  setUpCode,
  signCode,
  submitCode,
  watchCode
} from '../../packages/playground/code/client-code.ts'
import { build, MAINNET, startNetwork } from '../helpers/app.ts'
import { evaluating, root, run } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { TRANSFER } from '../helpers/transfer-flow.ts'
import { WEBHOOK_SECRET } from '../helpers/webhook-receiver.ts'

test('the pages for developers', async t => {
  const devnet = await startNetwork(t)
  const app = await build(t, { NODE_ENV: 'development' }, { devnet })

  t.test('the playground is served in development, with all of its files', async t => {
    const page = await app.inject('/playground')
    t.equal(page.statusCode, 200)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    t.equal(page.headers['cache-control'], 'no-store')
    const names = [...page.body.matchAll(/(?:href|src)="(.*?)"/g)].map(([, name]) => name ?? '')
    const types = new Map<string, string>()
    for (const name of names) {
      t.match(name, /^playground\/[\w-]+-[A-Z0-9]{8}\.\w+$/)
      const file = await app.inject(`/${name}`)
      t.equal(file.statusCode, 200, name)
      t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable', name)
      t.equal(file.headers['x-content-type-options'], 'nosniff', name)
      types.set(name.replace(/^.*\./, ''), String(file.headers['content-type']))
    }
    t.same(Object.fromEntries(types), {
      svg: 'image/svg+xml',
      css: 'text/css; charset=utf-8',
      js: 'text/javascript; charset=utf-8'
    })
  })

  t.test('/ redirects to the playground by a relative URL', async t => {
    const { statusCode, headers } = await app.inject('/')
    t.equal(statusCode, 302)
    t.equal(new URL(String(headers.location), 'http://host/prefix/').pathname, '/prefix/playground')
  })

  t.test('the playground shows the signed webhooks that the server sent', async t => {
    const webhooks = '/playground/webhooks'
    const settings = {
      NODE_ENV: 'development',
      SERVICE_WEBHOOK_URL: `http://127.0.0.1:1${webhooks}`,
      SERVICE_WEBHOOK_SECRET: WEBHOOK_SECRET
    }
    const receiving = await build(t, settings, { devnet })
    const event = { type: 'transfer.finished', data: { txId: 7 } }
    const post = (id: string, signedId = id) => {
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': '1700000000',
        'webhook-signature': new Webhook(WEBHOOK_SECRET).sign(
          signedId,
          new Date(1_700_000_000_000),
          JSON.stringify(event)
        )
      }
      return receiving.inject({ method: 'POST', url: webhooks, headers, payload: JSON.stringify(event) })
    }
    for (const id of ['msg_1', 'msg_1', 'msg_2']) t.equal((await post(id)).statusCode, 204)
    t.equal((await post('msg_3', 'msg_2')).statusCode, 400)
    const { isReceiving, webhooks: received } = (await receiving.inject(webhooks)).json()
    t.ok(isReceiving)
    t.match(received, [
      { id: 'msg_1', event },
      { id: 'msg_2', event }
    ])
    t.equal(received.length, 2, 'each webhook is shown once')

    t.same((await app.inject(webhooks)).json(), { isReceiving: false, webhooks: [] })
    t.equal((await app.inject({ method: 'POST', url: webhooks, payload: event })).statusCode, 400)
  })

  t.test('the API documentation is served in development', async t => {
    const page = await app.inject('/docs')
    t.match(page.headers['content-type'], /^text\/html/)
    t.strictSame((await app.inject('/docs/json')).json(), app.swagger())
  })

  t.test(
    'neither page is served in production or test, and the playground is not served on mainnet',
    async t => {
      const others = [
        { NODE_ENV: 'production' },
        { NODE_ENV: 'test' },
        { ...MAINNET, NODE_ENV: 'development' }
      ]
      for (const variables of others) {
        const app = await build(t, variables, { devnet })
        const docs =
          variables.NODE_ENV === 'development' ? [] : ['/docs', '/docs/json', '/docs/static/index.html']
        const paths = ['', '/', '/index.html', '/webhooks'].map(path => `/playground${path}`)
        for (const url of ['/', ...paths, ...docs]) {
          const response = await app.inject(url)
          t.equal(response.statusCode, 404, `${url} in ${variables.NODE_ENV}`)
          t.match(response.json(), { code: 'ROUTE_NOT_FOUND' })
        }
      }
    }
  )
})

test('the code shown in the playground makes a transfer', async t => {
  const devnet = await startNetwork(t)
  const app = await build(
    t,
    { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' },
    { devnet }
  )
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const request = { ...TRANSFER, amount: '100' }
  const side = 'feeFromTarget'
  const outputOf = (steps: string[]) => {
    const code = steps.join('\n\n')
    const program = code.replaceAll('transaction-back-end-client', join(root, 'packages/client/index.ts'))
    return run(process.execPath, evaluating(program))
  }

  t.test('the code runs step by step', async t => {
    const steps = [
      setUpCode(baseUrl),
      chainsCode('POL', 'ETH'),
      quoteCode(request, true),
      signCode(side, 'EVM'),
      submitCode(false),
      watchCode(false)
    ]
    t.match(await outputOf(steps), /\bCompleted .*\n$/)
  })
})
