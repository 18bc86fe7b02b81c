import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { loadConfig } from '../../config/index.ts'
import type { Environment } from '../../config/read.ts'
import { ConfigError } from '../../services/config-error.ts'
import { MAINNET, temporaryFolder } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'

const phrase = 'test test test test test test test test test test test junk'

const complete = {
  SERVICE_ENVIRONMENT: 'testnet',
  NODE_ENV: 'production',
  DOMAIN: 'shop.example',
  SERVICE_BACKEND_MNEMONIC: phrase,
  SERVICE_BACKEND_NODE_PROVIDER: 'https://rpc.example',
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'https://api.example'
}

const webhookSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 255).toString('base64')}`

const allSecrets = {
  SERVICE_BACKEND_MNEMONIC: phrase,
  SERVICE_BACKEND_NODE_PROVIDER: 'https://u:p@rpc.example/key,https://rpc-2.example/?key=a',
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'https://api.example/?key=a',
  SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: 'https://index.example/key',
  SERVICE_BACKEND_FEE_URL: 'https://fees.example',
  SERVICE_EVM_RPC: '{"ETH":"https://eth.example/key"}',
  COMPLIANCE_URL: 'https://compliance.example',
  KYC_URL: 'https://kyc.example',
  KYC_API_KEY: 'kyc-key',
  DATABASE_URL: 'postgres://user:password@db/money',
  SERVICE_WEBHOOK_URL: 'https://u:p@shop.example/webhooks/?key=a',
  SERVICE_WEBHOOK_SECRET: webhookSecret(24)
}

const load = (changes: Environment = {}) => loadConfig({ ...complete, ...changes })

function warned(message: string, changes: Environment): string[] {
  const { warnings } = load(changes)
  return warnings.find(([text]) => text.includes(message))?.[1] ?? []
}

function problemsOf(t: Test, changes: Environment, options: { envFile?: string } = {}): readonly string[] {
  try {
    loadConfig({ ...complete, ...changes }, options)
  } catch (err) {
    if (err instanceof ConfigError) return err.problems
    throw err
  }
  t.fail('the configuration was accepted', { changes })
  return []
}

test('needs only the required variables and uses defaults for all others', async t => {
  const { config, secrets } = load()
  t.match(config, {
    DOMAIN: ['shop.example'],
    SERVICE_BACKEND_FEE_PATH: '/v2/fees/calculate',
    SERVICE_QUOTE_CHECK: 'known',
    SERVICE_APPROVAL_CHECK: 'observe',
    SERVICE_CHAIN_PREFIX: 'service',
    SERVICE_CHAIN_DENOM: 'uSERVICE',
    SERVICE_CHAIN_API_PATH: '/service-finance/service-blockchain',
    SERVICE_DAILY_FEE_LIMIT: '250000000',
    TRUST_PROXY: false
  })
  t.strictSame(secrets, {
    mnemonic: phrase,
    kycApiKey: undefined,
    database: undefined,
    upstreams: {
      nodes: ['https://rpc.example'],
      chainApi: 'https://api.example',
      index: undefined,
      fees: 'https://api.example',
      evmRpc: {},
      compliance: undefined,
      kyc: undefined
    },
    webhooks: undefined
  })
})

test('requires a quote and the payer’s signature on mainnet by default', async t => {
  t.match(load(MAINNET).config, { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' })
  const decided = { SERVICE_QUOTE_CHECK: 'known', SERVICE_APPROVAL_CHECK: 'off' }
  t.match(load({ ...MAINNET, ...decided }).config, decided)
})

test('applies the production rules on mainnet regardless of NODE_ENV', async t => {
  const lax = {
    DOMAIN: '*',
    TRUST_PROXY: 'true',
    SERVICE_WEBHOOK_URL: 'http://shop.example',
    SERVICE_WEBHOOK_SECRET: webhookSecret(32)
  }
  for (const NODE_ENV of ['development', 'test']) {
    const mainnet = { ...MAINNET, NODE_ENV }
    t.ok(load({ ...lax, NODE_ENV }).config, 'testnet is lenient')
    t.ok(load(mainnet).config)
    t.match(problemsOf(t, { ...mainnet, ...lax }), [
      /^DOMAIN is `\*` while SERVICE_ENVIRONMENT is mainnet;/,
      /^TRUST_PROXY is true while SERVICE_ENVIRONMENT is mainnet;/,
      /^SERVICE_WEBHOOK_URL is not https while SERVICE_ENVIRONMENT is mainnet;/
    ])
  }
})

test('rejects a public phrase on mainnet, regardless of spacing', async t => {
  const known = ` ${'test '.repeat(11)} junk\n`
  for (const [NODE_ENV, phrase] of [
    ['production', known],
    ['development', known],
    ['production', `${'abandon '.repeat(14)}address`],
    ['production', 'legal winner thank year wave sausage worth useful legal winner thank yellow']
  ]) {
    const mainnet = { SERVICE_ENVIRONMENT: 'mainnet', NODE_ENV, SERVICE_BACKEND_MNEMONIC: phrase }
    t.strictSame(problemsOf(t, mainnet), [
      'SERVICE_BACKEND_MNEMONIC is a public phrase while SERVICE_ENVIRONMENT is mainnet; expected an English BIP-39 phrase of 12, 15, 18, 21 or 24 words'
    ])
  }
  t.ok(load({ SERVICE_BACKEND_MNEMONIC: known }).secrets.mnemonic, 'testnet allows it')
})

test('rejects world-writable secret files', async t => {
  const path = join(temporaryFolder(t), 'mnemonic')
  writeFileSync(path, phrase)
  const variables = { SERVICE_BACKEND_MNEMONIC: undefined, SERVICE_BACKEND_MNEMONIC_FILE: path }
  chmodSync(path, 0o664)
  t.strictSame(load(variables).warnings, [])
  chmodSync(path, 0o666)
  t.strictSame(problemsOf(t, variables), [
    'SERVICE_BACKEND_MNEMONIC_FILE points to a world-writable file; expected a file that only its owner can write'
  ])
})

test('warns about checks that are weaker than the mainnet defaults', async t => {
  for (const [SERVICE_QUOTE_CHECK, SERVICE_APPROVAL_CHECK, variables] of [
    ['required', 'enforce', []],
    ['off', 'enforce', ['SERVICE_QUOTE_CHECK']],
    ['known', 'off', ['SERVICE_QUOTE_CHECK', 'SERVICE_APPROVAL_CHECK']]
  ] as const) {
    const checks = { SERVICE_QUOTE_CHECK, SERVICE_APPROVAL_CHECK }
    t.strictSame(warned('weaker checks', { ...MAINNET, ...checks }), variables)
    t.strictSame(warned('weaker checks', checks), [], 'on testnet')
  }
})

test('one warning lists the unknown variables with the prefix SERVICE_, such as former settings', async t => {
  const envFile = join(temporaryFolder(t), '.env')
  writeFileSync(
    envFile,
    'SERVICE_BRANDS=a\nSERVICE_BACKEND_MNEMONIC_FILES=/b\nSERVICE_LOW_BALANCE=1\nOTHER=1\n'
  )
  const env = {
    SERVICE_STATUS_FORMAT: 'list',
    SERVICE_EMPTY: ' ',
    ACME_CHAIN_FILTER: '{}',
    RATE_LIMT_MAX: '1'
  }
  const { warnings } = loadConfig({ ...complete, ...env }, { envFile })
  t.strictSame(warnings, [
    [
      'unknown variables are ignored',
      ['SERVICE_BACKEND_MNEMONIC_FILES', 'SERVICE_BRANDS', 'SERVICE_STATUS_FORMAT']
    ]
  ])
  t.strictSame(load().warnings, [])
})

test('parses lists, numbers and URLs, and trims blanks and trailing slashes', async t => {
  const { config, secrets } = load({
    DOMAIN: ' https://a.example , http://localhost:3000, ',
    SERVICE_BACKEND_NODE_PROVIDER:
      ' https://one.example// , http://two.example:26657 ,https://u:p@a.example/key/,https://b.example/?key=a/',
    SERVICE_BACKEND_FEE_URL: 'https://fees.example/?key=a',
    SERVICE_SUBMIT_TIMEOUT: ' 1500 ',
    TRUST_PROXY: '10.0.0.0/8, loopback, ::1'
  })
  t.strictSame(config.DOMAIN, ['https://a.example', 'http://localhost:3000'])
  const { nodes, fees } = secrets.upstreams
  t.strictSame(nodes, [
    'https://one.example',
    'http://two.example:26657',
    'https://u:p@a.example/key',
    'https://b.example/?key=a/'
  ])
  t.equal(fees, 'https://fees.example/?key=a')
  t.equal(config.SERVICE_SUBMIT_TIMEOUT, 1500)
  t.strictSame(config.TRUST_PROXY, ['10.0.0.0/8', 'loopback', '::1'])
  t.equal(load({ TRUST_PROXY: 'true', NODE_ENV: 'test' }).config.TRUST_PROXY, true)
  t.equal(load({ TRUST_PROXY: '10' }).config.TRUST_PROXY, 10)
})

test('separates secrets from the other settings and removes them from the environment', async t => {
  const env: Environment = { ...complete, ...allSecrets }
  const { config } = loadConfig(env)
  t.strictSame(Object.keys(env), ['SERVICE_ENVIRONMENT', 'NODE_ENV', 'DOMAIN'])
  for (const [name, secret] of Object.entries(allSecrets))
    t.notOk(JSON.stringify(config).includes(secret), name)
  t.ok(Object.isFrozen(config))
})

test('reads each secret from a file, ignoring a trailing newline', async t => {
  const folder = temporaryFolder(t)
  const files = Object.fromEntries(
    Object.entries(allSecrets).map(([name, secret]) => {
      const path = join(folder, name)
      writeFileSync(path, `${secret}\n`)
      // Kubernetes mounts secrets as symbolic links.
      symlinkSync(path, `${path}-link`)
      return [`${name}_FILE`, `${path}-link`]
    })
  )
  const { SERVICE_ENVIRONMENT, NODE_ENV, DOMAIN } = complete
  const { config, secrets } = loadConfig({ SERVICE_ENVIRONMENT, NODE_ENV, DOMAIN, ...files })
  t.strictSame(secrets, load(allSecrets).secrets)
  t.strictSame(config, load(allSecrets).config)
})

test('reports an unusable secret file in one line with its variable', async t => {
  const folder = temporaryFolder(t)
  const file = (content: string | Buffer) => {
    const path = join(folder, 'secret')
    writeFileSync(path, content)
    return path
  }
  // Reading this named pipe would block, because nothing writes to it.
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const [name, secret] of Object.entries(allSecrets)) {
    const problemsWith = (path: string) =>
      problemsOf(t, { ...allSecrets, [name]: undefined, [`${name}_FILE`]: path })
    const cases: [path: string, beginning: string][] = [
      [join(folder, 'hidden'), `${name}_FILE points to a file that cannot be read (ENOENT); `],
      [folder, `${name}_FILE does not point to a regular file; `],
      ['/dev/zero', `${name}_FILE does not point to a regular file; `],
      [pipe, `${name}_FILE does not point to a regular file; `],
      [file('hidden '.repeat(10_000)), `${name}_FILE points to a file larger than 65536 bytes; `]
    ]
    for (const [path, beginning] of cases) {
      const problems = problemsWith(path)
      t.equal(problems.length, 1, beginning, { problems })
      t.ok(problems[0]?.startsWith(beginning), beginning, { problems })
      t.notMatch(problems.join(), /hidden/)
    }
    t.match(problemsWith(file(' \n')), [new RegExp(`^${name}_FILE is empty; `)])
    if (name !== 'KYC_API_KEY') {
      t.match(problemsWith(file('hidden\n')), [new RegExp(`^${name}_FILE (is malformed|is not|has 1 word)`)])
      t.notMatch(problemsWith(file('hidden\n')).join(), /hidden/)
    }
    t.match(problemsOf(t, { ...allSecrets, [name]: secret, [`${name}_FILE`]: file(secret) }), [
      new RegExp(`^${name} and ${name}_FILE are both set; `)
    ])
  }
})

test('reads an optional .env file, which the environment overrides', async t => {
  const envFile = join(temporaryFolder(t), '.env')
  t.equal(loadConfig({ ...complete }, { envFile }).config.PORT, 3001)
  writeFileSync(envFile, '# comment\nPORT=4000\nHOST="127.0.0.1"\nLOG_LEVEL=debug\n')
  const { config } = loadConfig({ ...complete, LOG_LEVEL: 'warn', HOST: '' }, { envFile })
  t.match(config, { PORT: 4000, HOST: '127.0.0.1', LOG_LEVEL: 'warn' })
  t.match(problemsOf(t, {}, { envFile: temporaryFolder(t) }), [
    / cannot be read \(EISDIR\); expected a readable file, or no file$/
  ])
})

test('reports all problems together, one line each', async t => {
  const problems = problemsOf(t, {
    SERVICE_ENVIRONMENT: undefined,
    NODE_ENV: 'staging',
    DOMAIN: undefined,
    SERVICE_BACKEND_MNEMONIC: undefined,
    SERVICE_BACKEND_NODE_PROVIDER: undefined,
    PORT: 'http'
  })
  t.strictSame(problems, [
    'SERVICE_ENVIRONMENT is missing; expected one of mainnet, testnet',
    'NODE_ENV has an unknown value; expected one of development, production, test',
    'DOMAIN is missing; expected origins such as https://shop.example, separated by commas, without paths',
    'PORT is not a whole number; expected a whole number from 0 to 65535',
    'SERVICE_BACKEND_NODE_PROVIDER is missing; expected http(s) URLs without a fragment, separated by commas, each once, or SERVICE_BACKEND_NODE_PROVIDER_FILE',
    'SERVICE_BACKEND_MNEMONIC is missing; expected an English BIP-39 phrase of 12, 15, 18, 21 or 24 words, or SERVICE_BACKEND_MNEMONIC_FILE'
  ])
})

const side = (mode: string, chains: string[]) => JSON.stringify({ origin: { mode, chains } })
const webhookKey = { SERVICE_WEBHOOK_SECRET: webhookSecret(32) }

const hidden = 'https://a.example/hidden'
const webhookUrl = { SERVICE_WEBHOOK_URL: 'https://a.example' }
const isPlain = 'is not https while NODE_ENV is production;'
const kms = { SERVICE_SIGNER_KEY: 'key', SERVICE_SIGNER_MODULE: 'module.mjs' }
const tls = 'postgres://u:hidden@db/x?sslmode='

/** For each variable, invalid values with the problem in the error line, and other settings. */
const refused: Record<string, [value: string | undefined, problem: string, others?: Environment][]> = {
  SERVICE_ENVIRONMENT: [['main', 'has an unknown value;']],
  DOMAIN: [
    ['https://shop.example/app', 'is malformed in entry 1;'],
    ['shop.example,*.shop.example', 'is malformed in entry 2;'],
    ['*', 'is `*` while NODE_ENV is production;'],
    ['*,shop.example', 'lists `*` along with other origins;', { NODE_ENV: 'test' }]
  ],
  SERVICE_BACKEND_NODE_PROVIDER: [
    ['https://a.example,rpc', 'is malformed in entry 2;'],
    ['https://a.example,https://a.example/', 'contains a duplicate entry;']
  ],
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: [['https://user:hidden@a.example#hidden', 'is malformed;']],
  SERVICE_EXPLORER: [
    ['https://hidden@a.example', 'is malformed;'],
    ['https://a.example?key=hidden', 'is malformed;']
  ],
  SERVICE_EVM_RPC: [
    ['{}', 'is empty;'],
    ['{"SOL":"https://a.example"}', 'has an unknown property at `SOL`;'],
    ['{"ETH":"hidden"}', 'is malformed at `ETH`;']
  ],
  SERVICE_SIGNER_KEY: ['aws-kms', 'gcp-kms'].map(SERVICE_SIGNER => [
    undefined,
    `is missing while SERVICE_SIGNER is ${SERVICE_SIGNER};`,
    { SERVICE_SIGNER, SERVICE_SIGNER_ADDRESS: `service1${'q'.repeat(38)}` }
  ]),
  SERVICE_SIGNER_ADDRESS: [
    [undefined, 'is missing while SERVICE_SIGNER is aws-kms;', { ...kms, SERVICE_SIGNER: 'aws-kms' }],
    [undefined, 'is missing while SERVICE_SIGNER is module;', { ...kms, SERVICE_SIGNER: 'module' }]
  ],
  TRUST_PROXY: [
    ['0.0.0.0/1,128.0.0.0/1', 'trusts every network;'],
    ['2000::/3', 'trusts every network;'],
    ['constructor', 'has an unknown value;'],
    ['true', 'is true while NODE_ENV is production;']
  ],
  KYC_API_KEY: [[undefined, 'is missing while KYC_URL is set;', { KYC_URL: 'https://a.example' }]],
  KYC_URL: [
    [undefined, 'is missing while KYC_API_KEY is set;', { KYC_API_KEY: 'hidden' }],
    ['https://u:hidden@a.example', 'is malformed;', { KYC_API_KEY: 'hidden' }]
  ],
  SERVICE_DAILY_FEE_LIMIT: [['0', 'is malformed;']],
  SERVICE_API_KEYS_FILE: [
    [undefined, 'is missing while SERVICE_ACCESS is keys;', { SERVICE_ACCESS: 'keys' }],
    [undefined, 'is missing while SERVICE_ACCESS is both;', { SERVICE_ACCESS: 'both' }]
  ],
  METRICS_PORT: [['3001', 'is the same as PORT;']],
  SERVICE_COMPLIANCE_ACCEPT: [['low,none', 'has an unknown value in entry 2;']],
  DATABASE_URL: [
    ['mysql://u:hidden@db/x', 'is malformed;'],
    ['postgres://u:hidden@/x', 'is malformed;'],
    ['postgres://db/hidden', 'is malformed;'],
    ['postgres://u:hidden@db,db2/x', 'is malformed;'],
    ['postgres://u:hidden@%2Frun%2Fpostgresql/x', 'is malformed;'],
    ['postgres://u:hid/den@db/x', 'is malformed;'],
    ['postgres://u:hidden@db/x%2Fy', 'is malformed;'],
    ['postgres://u:hidden%00@db/x', 'is malformed;'],
    ['postgres://u:hidden@db/x#y', 'is malformed;'],
    ['postgres://u:hidden@db/x?connect_timeout=5', 'is malformed;'],
    [`${tls}require&sslmode=disable`, 'is malformed;'],
    [`${tls}disable&sslrootcert=package.json`, 'is malformed;'],
    [`${tls}prefer`, 'is malformed;'],
    [`${tls}verify-ca`, 'is malformed;'],
    [`${tls}verify-full&sslrootcert=/hidden`, 'has an sslrootcert that cannot be read (ENOENT);'],
    [
      `${tls}verify-full&sslrootcert=package.json`,
      'has an sslrootcert that cannot be read (ERR_OSSL_PEM_NO_START_LINE);'
    ]
  ],
  SERVICE_WEBHOOK_SECRET: [
    [undefined, 'is missing while SERVICE_WEBHOOK_URL', { SERVICE_WEBHOOK_URL: hidden }],
    [webhookSecret(23), 'is malformed in entry 1;', webhookUrl],
    [webhookSecret(65), 'is malformed in entry 1;', webhookUrl]
  ],
  SERVICE_WEBHOOK_URL: [
    [undefined, 'is missing while SERVICE_WEBHOOK_SECRET is', webhookKey],
    [' HTTP://a.example/hidden', isPlain, webhookKey],
    ['ht\ttp://a.example', isPlain, webhookKey],
    ['\u0001http://a.example', isPlain, webhookKey]
  ],
  SERVICE_BACKEND_MNEMONIC: [
    ['hidden hidden', 'has 2 words;'],
    [phrase.replace('junk', 'hiddenn'), 'has a word at position 12 that is not in the English BIP-39 list;'],
    [phrase.replace('junk', 'test'), 'has a wrong checksum;']
  ],
  SERVICE_CHAIN_FILTER: [
    ['{origin', 'is not a JSON object;'],
    ['{}', 'is empty;'],
    ['{"orign":{}}', 'has an unknown property at `orign`;'],
    ['{"origin":[]}', 'is not a JSON object at `origin`;'],
    [
      '{"origin":{"mode":"blacklist","chains":["ETH"],"chain":1}}',
      'has an unknown property at `origin.chain`;'
    ],
    [side('allow', ['ETH']), 'has an unknown value at `origin.mode`;'],
    [side('whitelist', []), 'is empty at `origin.chains`;'],
    [side('blacklist', ['ETH', 'hidden']), 'has an unknown value at `origin.chains.1`;'],
    [side('blacklist', ['FIAT']), 'has an unknown value at `origin.chains.0`;']
  ]
}

test('reports an invalid value in one line, without quoting it', async t => {
  for (const [name, cases] of Object.entries(refused)) {
    for (const [value, problem, others] of cases) {
      const problems = problemsOf(t, { ...others, [name]: value })
      const beginning = `${name} ${problem}`
      t.equal(problems.length, 1, beginning)
      t.ok(problems[0]?.startsWith(beginning), beginning, { problems })
      t.match(problems[0], /; expected \S/)
      t.notMatch(problems.join(), /hidden/)
    }
  }
})

const nines = (digits: number) => '9'.repeat(digits)

/** For each limit, a value at the limit and a value just beyond it. */
const limits: [name: string, accepted: string, rejected: string][] = [
  ['SERVICE_BRAND', 'abcdefghijklmno1', 'abcdefghijklmno12'],
  ['SERVICE_CHAIN_PREFIX', 'a'.repeat(83), 'a'.repeat(84)],
  ['SERVICE_CHAIN_DENOM', 'ibc', 'ib'],
  ['SERVICE_CHAIN_API_PATH', '/a-b/c.d_e~f', '/a//b'],
  ['SERVICE_BACKEND_FEE_PATH', '/', '/fees?x=1'],
  ['SERVICE_GAS_PRICE', '0', '00.1'],
  ['SERVICE_GAS_PRICE', `${nines(18)}.${nines(18)}`, `${nines(19)}`],
  ['SERVICE_GAS_MULTIPLIER', '1', '0.9'],
  ['SERVICE_GAS_MULTIPLIER', '10.0', '10.1'],
  ['SERVICE_MAX_GAS_PRICE_FACTOR', '100', '101'],
  ['SERVICE_MAX_MESSAGE_GAS', '100000', '99999'],
  ['SERVICE_MAX_TRANSACTION_GAS', '1000000000', '1000000001'],
  ['SERVICE_DAILY_FEE_LIMIT', nines(38), nines(39)],
  ['SERVICE_SUBMIT_TIMEOUT', '600000', '600001'],
  ['SERVICE_RETENTION_DAYS', '36500', '36501'],
  ['SERVICE_LOOK_BACK_BLOCKS', '100000000', '100000001'],
  ['PORT', '65535', '65536'],
  ['RATE_LIMIT_MAX', '1', '0'],
  ['RATE_LIMIT_MAX', '1000000', '1000001'],
  ['RATE_LIMIT_WINDOW', '1', '0'],
  ['RATE_LIMIT_WINDOW', '86400000', '86400001'],
  ['HOST', '::1', 'two words'],
  ['TRUST_PROXY', '1', '-1'],
  ['TRUST_PROXY', '10.0.0.0/32', '10.0.0.0/33'],
  ['TRUST_PROXY', 'linklocal,uniquelocal', 'sitelocal']
]

test('accepts a value at each limit and rejects a value beyond it', async t => {
  for (const [name, accepted, rejected] of limits) {
    t.equal(
      String(Object.entries(load({ [name]: accepted }).config).find(([key]) => key === name)?.[1]),
      accepted
    )
    const problems = problemsOf(t, { [name]: rejected })
    t.equal(problems.length, 1, name)
    t.ok(problems[0]?.startsWith(`${name} `), name, { problems })
  }
})

test('derives the daily fee limit from the gas price', async t => {
  const limit = (SERVICE_GAS_PRICE: string) => load({ SERVICE_GAS_PRICE }).config.SERVICE_DAILY_FEE_LIMIT
  t.equal(limit('25000000000.5'), '250000000005000000000')
  t.equal(limit('0'), undefined, 'no limit if gas is free')
  t.equal(load({ SERVICE_DAILY_FEE_LIMIT: '7' }).config.SERVICE_DAILY_FEE_LIMIT, '7')
})

test('accepts any character in a database password', t => {
  const passwords = ['p@ss', ":/?#[]@!$&'()*+,;=%", ' "\\`{}|^~', 'ü€😀', '%41', '100%']
  for (const password of passwords) {
    const url = `postgres://u:${encodeURIComponent(password)}@db/x?sslmode=require`
    const address = { host: 'db', port: 5432, user: 'u', password, database: 'x' }
    t.match(load({ DATABASE_URL: url }).secrets.database, address)
  }
  const { database } = load({ DATABASE_URL: 'postgresql://u:p@[::1]:6543/x?sslmode=verify-full' }).secrets
  t.match(database, { host: '::1', port: 6543, ssl: { rejectUnauthorized: true } })
  t.end()
})

test('lists the valid short names for an invalid chain filter', async t => {
  t.match(problemsOf(t, { SERVICE_CHAIN_FILTER: side('whitelist', ['XYZ']) }), [
    /\[short names\]}; the short names are ARB, AVX, BANK, BASE, BERA, BSC, BTC, CC, CFX, ETH, OPT, POL, SOL, TRX, WLD$/
  ])
})

test('uses the webhook URL unchanged and accepts keys of 24 to 64 bytes', async t => {
  const url = 'http://u:p@127.0.0.1:80/hooks/?key=/'
  for (const bytes of [24, 64]) {
    const { config, secrets } = load({
      NODE_ENV: 'test',
      SERVICE_WEBHOOK_URL: url,
      SERVICE_WEBHOOK_SECRET: webhookSecret(bytes)
    })
    t.equal(secrets.webhooks?.url, url)
    t.strictSame(
      secrets.webhooks?.keys.map(key => key.export()),
      [Buffer.alloc(bytes, 255)]
    )
    t.notOk(/WEBHOOK/.test(JSON.stringify(config)))
    t.notOk(
      inspect(secrets, { depth: 9, showHidden: true }).includes('255'),
      'inspect() does not reveal the key'
    )
  }
})

test('derives the path of fee calls from the version of the fee API', async t => {
  t.equal(load({ SERVICE_FEE_API: 'v3' }).config.SERVICE_BACKEND_FEE_PATH, '/v3/fees/calculate')
  const own = load({ SERVICE_FEE_API: 'v3', SERVICE_BACKEND_FEE_PATH: '/quotes' })
  t.equal(own.config.SERVICE_BACKEND_FEE_PATH, '/quotes')
})
