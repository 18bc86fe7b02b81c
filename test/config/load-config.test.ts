import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type Config, exportsSpans, loadConfig } from '../../config/index.ts'
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
  BTC_API_URL: 'https://esplora.example',
  COMPLIANCE_URL: 'https://compliance.example',
  KYC_URL: 'https://kyc.example',
  KYC_API_KEY: 'kyc-key',
  DATABASE_URL: 'postgres://user:password@db/money',
  SERVICE_WEBHOOK_URL: 'https://u:p@shop.example/webhooks/?key=a',
  SERVICE_WEBHOOK_SECRET: webhookSecret(24)
}

const load = (changes: Environment = {}) => loadConfig({ ...complete, ...changes })

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

/** Asserts that the only problem is a line that begins as given and contains no value. */
function refuses(t: Test, changes: Environment, beginning: string): void {
  const problems = problemsOf(t, changes)
  t.equal(problems.length, 1, beginning, { problems })
  t.ok(problems[0]?.startsWith(beginning), beginning, { problems })
  t.match(problems[0], /; expected \S/)
  t.notMatch(problems.join(), /hidden/)
}

const upstreams = {
  nodes: ['https://rpc.example'],
  chainApi: 'https://api.example',
  index: undefined,
  fees: { baseUrl: 'https://api.example', path: '/v2/fees/calculate', api: 'v2' },
  evmRpc: {},
  bitcoin: undefined,
  compliance: undefined,
  kyc: undefined
}

test('needs only the required variables and uses defaults for all others', async t => {
  const { config, secrets, warnings } = load()
  t.match(config, {
    DOMAIN: ['shop.example'],
    SERVICE_QUOTE_CHECK: 'known',
    SERVICE_APPROVAL_CHECK: 'observe',
    SERVICE_DAILY_FEE_LIMIT: '250000000',
    TRUST_PROXY: false,
    chainPrefix: 'service',
    feeDenom: 'uSERVICE',
    gasPrice: '0.025'
  })
  t.ok(Object.isFrozen(config))
  const unset = { kycApiKey: undefined, database: undefined, webhooks: undefined }
  t.strictSame(secrets, { mnemonic: phrase, ...unset, upstreams })
  t.strictSame(warnings, [])
})

/** Reads rows of `NAME=value & NAME=value | cell | cell`. */
const table = (rows: string) =>
  rows
    .split('\n')
    .filter(row => row !== '')
    .map(row => {
      const [given = '', ...cells] = row.split(' | ')
      const pairs = given.split(' & ').map(pair => [pair.replace(/=.*/, ''), pair.replace(/^[^=]*=/, '')])
      return { row, changes: Object.fromEntries(pairs) as Environment, cells }
    })

const onMainnet = `NODE_ENV=development & SERVICE_ENVIRONMENT=mainnet & SERVICE_BACKEND_MNEMONIC=${MAINNET['SERVICE_BACKEND_MNEMONIC']}`
const passwords = [":/?#[]@!$&'()*+,;=%", 'ü€😀', '%41'].map(
  password =>
    `DATABASE_URL=postgres://u:${encodeURIComponent(password)}@db/x | secrets.database.password | ${JSON.stringify(password)}`
)

const verified = 'db.example 8.8.8.8 134744072 172.32.0.1 [2001:db8::1] db.local.example'.split(' ')
const ofNetworks = 'localhost 127.0.0.2 10.1.2.3 172.31.0.1 192.168.0.9 [::1] [fd00::1]'.split(' ')
const unverified = [...ofNetworks, 'db', 'db.internal', 'db-1.a.LOCAL.']
/** Without an sslmode, the certificate is verified unless the host is private; an explicit one wins. */
const databases = [...verified, ...unverified].flatMap(host => {
  const ssl = verified.includes(host) ? '{"rejectUnauthorized": true, "checkServerIdentity": null}' : 'false'
  return [
    `DATABASE_URL=postgres://u:p@${host}/x | secrets.database.ssl | ${ssl}`,
    `DATABASE_URL=postgres://u:p@${host}/x?sslmode=disable | secrets.database.ssl | false`
  ]
})

/** What values mean: where they are in the configuration, and how. */
const meanings = `
${onMainnet} | config | {"SERVICE_QUOTE_CHECK": "required", "SERVICE_APPROVAL_CHECK": "enforce"}
${onMainnet} & SERVICE_QUOTE_CHECK=known | config.SERVICE_QUOTE_CHECK | "known"
${onMainnet} & SERVICE_APPROVAL_CHECK=off | config.SERVICE_APPROVAL_CHECK | "off"
DOMAIN= https://a.example , http://b:3000,  | config.DOMAIN | ["https://a.example", "http://b:3000"]
SERVICE_BACKEND_NODE_PROVIDER= https://a// , https://u:p@b/k/,https://c/?k=a/ | secrets.upstreams.nodes | ["https://a", "https://u:p@b/k", "https://c/?k=a/"]
SERVICE_EXPLORER=HTTPS://A.example/b/ | config.SERVICE_EXPLORER | "https://a.example/b"
SERVICE_SIGNER=HTTPS://A.example/projects/p/cryptoKeyVersions/1 & SERVICE_SIGNER_ADDRESS=service1${'q'.repeat(38)} | config.SERVICE_SIGNER | "HTTPS://A.example/projects/p/cryptoKeyVersions/1"
SERVICE_BACKEND_FEE_URL=https://a/?key=a | secrets.upstreams.fees | {"baseUrl": "https://a/?key=a", "path": "/v2/fees/calculate", "api": "v2"}
SERVICE_BACKEND_FEE_URL=https://a/v2/ | secrets.upstreams.fees | {"baseUrl": "https://a/v2", "path": "/fees/calculate", "api": "v2"}
SERVICE_BACKEND_FEE_URL=https://a/k/v3?key=a | secrets.upstreams.fees | {"baseUrl": "https://a/k/v3?key=a", "path": "/fees/calculate", "api": "v3"}
SERVICE_SUBMIT_TIMEOUT= 1500  | config.SERVICE_SUBMIT_TIMEOUT | 1500
TRUST_PROXY=10.0.0.0/8, loopback, ::1 | config.TRUST_PROXY | ["10.0.0.0/8", "loopback", "::1"]
TRUST_PROXY=true & NODE_ENV=test | config.TRUST_PROXY | true
TRUST_PROXY=10 | config.TRUST_PROXY | 10
SERVICE_BACKEND_MNEMONIC= ${'test '.repeat(11)} junk  | secrets.mnemonic | "${phrase}"
SERVICE_GAS_PRICE=25000000000.5 | config.SERVICE_DAILY_FEE_LIMIT | "250000000005000000000"
SERVICE_GAS_PRICE=0.5ibc/AB | config | {"gasPrice": "0.5", "feeDenom": "ibc/AB"}
SERVICE_SIGNER_ADDRESS=a1b1am058pdux3hyulcmfgj4m3hhrlfn8nzm0f2q4q | config.chainPrefix | "a1b"
DATABASE_URL=postgresql://u:p@[::1]:6543/x | secrets.database | {"host": "::1", "port": 6543, "user": "u", "database": "x", "password": "p", "ssl": false}
${databases.join('\n')}
DATABASE_URL=postgres://u:p@db/x?sslmode=verify-full | secrets.database.ssl.rejectUnauthorized | true
${passwords.join('\n')}`

test('parses the value of each setting', async t => {
  for (const { row, changes, cells } of table(meanings)) {
    const [path = '', expected = ''] = cells
    const actual = path.split('.').reduce<unknown>((value, name) => Object(value)[name], load(changes))
    t.match(actual, JSON.parse(expected), row)
  }
  t.equal(load({ SERVICE_GAS_PRICE: '0' }).config.SERVICE_DAILY_FEE_LIMIT, undefined, 'gas is free')
  for (const kind of ['', 'TRACES_'])
    t.ok(exportsSpans({ [`OTEL_EXPORTER_OTLP_${kind}ENDPOINT`]: ' HTTPS://Collector.example ' }), 'spans')
})

test('uses the webhook URL unchanged, accepts keys of 24 to 64 bytes, and hides them', async t => {
  const url = 'http://u:p@127.0.0.1:80/hooks/?key=/'
  for (const bytes of [24, 64]) {
    const webhook = { SERVICE_WEBHOOK_URL: url, SERVICE_WEBHOOK_SECRET: webhookSecret(bytes) }
    const { secrets } = load({ NODE_ENV: 'test', ...webhook })
    t.equal(secrets.webhooks?.url, url)
    const keys = secrets.webhooks?.keys.map(key => key.export())
    t.strictSame(keys, [Buffer.alloc(bytes, 255)])
    t.notOk(inspect(secrets, { depth: 9, showHidden: true }).includes('255'))
  }
})

test('separates secrets from the other settings and removes them from the environment', async t => {
  const env: Environment = { ...complete, ...allSecrets }
  const { config } = loadConfig(env)
  t.strictSame(Object.keys(env), ['SERVICE_ENVIRONMENT', 'NODE_ENV', 'DOMAIN'])
  for (const [name, secret] of Object.entries(allSecrets))
    t.notOk(JSON.stringify(config).includes(secret), name)
})

test('reads each secret from a file, ignoring a trailing newline', async t => {
  const folder = temporaryFolder(t)
  const files = Object.keys(allSecrets).map(name => [`${name}_FILE`, join(folder, `${name}-link`)] as const)
  for (const [name, secret] of Object.entries(allSecrets)) {
    writeFileSync(join(folder, name), `${secret}\n`)
    // Kubernetes mounts secrets as symbolic links.
    symlinkSync(join(folder, name), join(folder, `${name}-link`))
  }
  const { SERVICE_ENVIRONMENT, NODE_ENV, DOMAIN } = complete
  const read = loadConfig({ SERVICE_ENVIRONMENT, NODE_ENV, DOMAIN, ...Object.fromEntries(files) })
  t.strictSame(read, load(allSecrets))
})

test('reports an unusable secret file in one line with its variable', async t => {
  const folder = temporaryFolder(t)
  function file(name: string, content: string, mode = 0o660) {
    writeFileSync(join(folder, name), content)
    chmodSync(join(folder, name), mode)
    return join(folder, name)
  }
  // Reading this named pipe would block, because nothing writes to it.
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const lost = 'points to a file that does not exist'
  const wrong: [path: string, problem: string][] = [
    [join(folder, 'lost'), `${lost}: ${folder}/lost (create or mount it, `],
    ['./lost/it', `${lost}: ${process.cwd()}/lost/it (`],
    // A secret in the wrong variable.
    ['hidden/hidden', `${lost} at this path from ${process.cwd()} (`],
    ['/hidden+hidden', `${lost} at this path from ${process.cwd()} (`],
    [folder, 'does not point to a regular file; '],
    ['/dev/zero', 'does not point to a regular file; '],
    [pipe, 'does not point to a regular file; '],
    [file('large', 'hidden '.repeat(10_000)), 'points to a file larger than 65536 bytes; '],
    [file('writable', 'hidden', 0o666), 'points to a world-writable file; '],
    [file('empty', ' \n'), 'is empty; '],
    [file('invalid', 'hidden\n'), '']
  ]
  for (const [name, secret] of Object.entries(allSecrets)) {
    const variable = `${name}_FILE`
    for (const [path, problem] of name === 'KYC_API_KEY' ? wrong.slice(0, -1) : wrong)
      refuses(t, { ...allSecrets, [name]: undefined, [variable]: path }, `${variable} ${problem}`)
    const both = { ...allSecrets, [variable]: file('secret', secret) }
    refuses(t, both, `${name} and ${variable} are both set; `)
  }
})

test('reads an optional .env file, which the environment overrides', async t => {
  const envFile = join(temporaryFolder(t), '.env')
  t.equal(loadConfig({ ...complete }, { envFile }).config.PORT, 3001)
  writeFileSync(envFile, '# comment\nPORT=4000\nHOST="127.0.0.1"\nLOG_LEVEL=debug\n')
  const { config } = loadConfig({ ...complete, LOG_LEVEL: 'warn', HOST: '' }, { envFile })
  t.match(config, { PORT: 4000, HOST: '127.0.0.1', LOG_LEVEL: 'warn' })
  const unreadable = / cannot be read \(EISDIR\); expected a readable file, or no file$/
  t.match(problemsOf(t, {}, { envFile: temporaryFolder(t) }), [unreadable])
})

test('one warning lists the unknown variables with the prefix SERVICE_', async t => {
  const envFile = join(temporaryFolder(t), '.env')
  writeFileSync(envFile, 'SERVICE_BRANDS=a\nSERVICE_DAILY_FEE_LIMIT=1\nOTHER=1\n')
  const env = { SERVICE_GAS_MULTIPLIER: '2', SERVICE_EMPTY: ' ', ACME_CHAIN_FILTER: '{}', RATE_LIMT_MAX: '1' }
  const { warnings } = loadConfig({ ...complete, ...env }, { envFile })
  t.strictSame(warnings, [['unknown variables are ignored', ['SERVICE_BRANDS', 'SERVICE_GAS_MULTIPLIER']]])
})

test('one warning lists the checks that are weaker than the mainnet defaults', async t => {
  for (const [SERVICE_QUOTE_CHECK, SERVICE_APPROVAL_CHECK, variables] of [
    ['required', 'enforce', []],
    ['off', 'enforce', ['SERVICE_QUOTE_CHECK']],
    ['known', 'off', ['SERVICE_QUOTE_CHECK', 'SERVICE_APPROVAL_CHECK']]
  ] as const) {
    const checks = { SERVICE_QUOTE_CHECK, SERVICE_APPROVAL_CHECK }
    const warning = ['mainnet runs with weaker checks than the defaults', variables]
    t.strictSame(load({ ...MAINNET, ...checks }).warnings, variables.length > 0 ? [warning] : [])
    t.strictSame(load(checks).warnings, [], 'on testnet')
  }
})

test('reports all problems together, one line each', async t => {
  const required = Object.fromEntries(Object.keys(complete).map(name => [name, undefined]))
  const problems = problemsOf(t, { ...required, NODE_ENV: 'staging', PORT: 'http' }).toSorted()
  t.match(problems, [
    'DOMAIN is missing; expected origins such as https://shop.example',
    'NODE_ENV has an unknown value; expected one of development, production, test',
    'PORT is not a whole number; expected a whole number from 0 to 65535',
    'SERVICE_BACKEND_MNEMONIC is missing; expected an English BIP-39 phrase',
    'SERVICE_BACKEND_NODE_PROVIDER is missing; expected http(s) URLs',
    /^SERVICE_BACKEND_NODE_PROVIDER_QUERY is missing; expected [^\n]*, or SERVICE_BACKEND_NODE_PROVIDER_QUERY_FILE$/,
    'SERVICE_ENVIRONMENT is missing; expected one of mainnet, testnet'
  ])
})

const side = (mode: string, chains: string[], more = {}) =>
  `SERVICE_CHAIN_FILTER=${JSON.stringify({ origin: { mode, chains, ...more } })}`
const webhook = `SERVICE_WEBHOOK_SECRET=${webhookSecret(32)}`
const signerAddress = `SERVICE_SIGNER_ADDRESS=service1${'q'.repeat(38)}`
const tls = 'DATABASE_URL=postgres://u:hidden@db/x?sslmode='
const mainnet = 'SERVICE_ENVIRONMENT=mainnet'
const isPublic = 'is a public phrase while SERVICE_ENVIRONMENT is mainnet;'

/** Invalid values, and the problem in the error line about the first of them. */
const refused = `
SERVICE_ENVIRONMENT=main | has an unknown value;
DOMAIN=https://shop.example/app | is malformed in entry 1;
DOMAIN=shop.example,*.shop.example | is malformed in entry 2;
DOMAIN=* | is \`*\` while NODE_ENV is production;
DOMAIN=* & ${onMainnet} | is \`*\` while SERVICE_ENVIRONMENT is mainnet;
DOMAIN=*,shop.example & NODE_ENV=test | lists \`*\` along with other origins;
SERVICE_BACKEND_NODE_PROVIDER=https://a.example,rpc | is malformed in entry 2;
SERVICE_BACKEND_NODE_PROVIDER=https://a.example,HTTPS://A.example:443/ | contains a duplicate entry;
SERVICE_BACKEND_NODE_PROVIDER_QUERY=https://user:hidden@a.example#hidden | is malformed;
SERVICE_EXPLORER=https://hidden@a.example | is malformed;
SERVICE_EXPLORER=https://a.example?key=hidden | is malformed;
SERVICE_EVM_RPC={} | is empty;
SERVICE_EVM_RPC={"ETH":"https://a.example","\\u0045TH":"https://hidden.example"} | has a property name twice;
SERVICE_EVM_RPC={"SOL":"https://a.example"} | has an unknown property at \`SOL\`;
SERVICE_EVM_RPC={"ETH":"hidden"} | is malformed at \`ETH\`;
SERVICE_SIGNER=projects/hidden/cryptoKeyVersions/latest & ${signerAddress} | is malformed;
SERVICE_SIGNER=http://u:hidden@a/projects/p/cryptoKeyVersions/1 & ${signerAddress} | is malformed;
SERVICE_SIGNER_ADDRESS= & SERVICE_SIGNER=./hidden.mjs | is missing while SERVICE_SIGNER is set;
TRUST_PROXY=0.0.0.0/1,128.0.0.0/1 | trusts every network;
TRUST_PROXY=2000::/3 | trusts every network;
TRUST_PROXY=constructor | has an unknown value;
TRUST_PROXY=true | is true while NODE_ENV is production;
TRUST_PROXY=true & ${onMainnet} | is true while SERVICE_ENVIRONMENT is mainnet;
KYC_API_KEY= & KYC_URL=https://a.example | is missing while KYC_URL is set;
KYC_URL= & KYC_API_KEY=hidden | is missing while KYC_API_KEY is set;
KYC_API_KEY=hidden\u2019 & KYC_URL=https://a.example | is malformed;
KYC_URL=https://u:hidden@a.example & KYC_API_KEY=hidden | is malformed;
SERVICE_DAILY_FEE_LIMIT=0 | is malformed;
SERVICE_API_KEYS_FILE= & SERVICE_ACCESS=keys | is missing while SERVICE_ACCESS is keys;
SERVICE_API_KEYS_FILE= & SERVICE_ACCESS=both | is missing while SERVICE_ACCESS is both;
METRICS_PORT=3001 | is the same as PORT;
DATABASE_URL=mysql://u:hidden@db/x | is malformed;
DATABASE_URL=postgres://db/hidden | is malformed;
DATABASE_URL=postgres://u:hidden@db,db2/x | is malformed;
DATABASE_URL=postgres://u:hidden@%2Frun%2Fpostgresql/x | is malformed;
DATABASE_URL=postgres://u:hidden@db/x%2Fy | is malformed;
DATABASE_URL=postgres://u:hidden%00@db/x | is malformed;
DATABASE_URL=postgres://u:hidden@db/x?application_name=y | is malformed;
DATABASE_URL=postgres://u:hidden@db/x#y | is malformed;
${tls}require&sslmode=disable | is malformed;
${tls}disable&sslrootcert=package.json | is malformed;
${tls}prefer | is malformed;
${tls}verify-ca | is malformed;
${tls}verify-full&sslrootcert=/lost | has an sslrootcert that does not exist: /lost (
${tls}verify-full&sslrootcert=package.json | has an sslrootcert that cannot be read (ERR_OSSL_PEM_NO_START_LINE);
SERVICE_WEBHOOK_SECRET= & SERVICE_WEBHOOK_URL=https://a.example/hidden | is missing while SERVICE_WEBHOOK_URL is set;
SERVICE_WEBHOOK_SECRET=${webhookSecret(23)} & SERVICE_WEBHOOK_URL=https://a.example | is malformed in entry 1;
SERVICE_WEBHOOK_SECRET=${webhookSecret(65)} & SERVICE_WEBHOOK_URL=https://a.example | is malformed in entry 1;
SERVICE_WEBHOOK_SECRET=${webhookSecret(32)}! & SERVICE_WEBHOOK_URL=https://a.example | is malformed in entry 1;
SERVICE_WEBHOOK_URL= & ${webhook} | is missing while SERVICE_WEBHOOK_SECRET is set;
SERVICE_WEBHOOK_URL= HTTP://a.example/hidden & ${webhook} | is not https while NODE_ENV is production;
SERVICE_WEBHOOK_URL=\u0001http://a.example & ${webhook} | is not https while NODE_ENV is production;
SERVICE_WEBHOOK_URL=http://a.example & ${webhook} & ${onMainnet} | is not https while SERVICE_ENVIRONMENT is mainnet;
SERVICE_BACKEND_MNEMONIC=hidden hidden | has 2 words;
SERVICE_BACKEND_MNEMONIC=${phrase.replace('junk', 'hiddenn')} | has a word at position 12 that is not in the English BIP-39 list;
SERVICE_BACKEND_MNEMONIC=${phrase.replace('junk', 'test')} | has a wrong checksum;
SERVICE_BACKEND_MNEMONIC= ${'test '.repeat(11)} junk & ${mainnet} & NODE_ENV=development | ${isPublic}
SERVICE_BACKEND_MNEMONIC=${'abandon '.repeat(14)}address & ${mainnet} | ${isPublic}
SERVICE_BACKEND_MNEMONIC=legal winner thank year wave sausage worth useful legal winner thank yellow & ${mainnet} | ${isPublic}
SERVICE_CHAIN_FILTER={origin | is not a JSON object;
SERVICE_CHAIN_FILTER={} | is empty;
SERVICE_CHAIN_FILTER={"orign":{}} | has an unknown property at \`orign\`;
SERVICE_CHAIN_FILTER={"target":{"mode":"whitelist","chains":["ETH"],"mode":"blacklist"}} | has a property name twice;
${side('whitelist', ['ETH'], { chain: 1 })} | has an unknown property at \`origin.chain\`;
${side('allow', ['ETH'])} | has an unknown value at \`origin.mode\`;
${side('whitelist', [])} | is empty at \`origin.chains\`;
${side('blacklist', ['ETH', 'hidden'])} | has an unknown value at \`origin.chains.1\`;
${side('blacklist', ['FIAT'])} | has an unknown value at \`origin.chains.0\`;`

test('reports an invalid value in one line, without quoting it', async t => {
  for (const { changes, cells } of table(refused))
    refuses(t, changes, `${Object.keys(changes)[0]} ${cells[0]}`)
  t.match(problemsOf(t, { SERVICE_CHAIN_FILTER: '{}' }), [
    /\[short names\]}; the short names are ARB, AVX, BANK, BASE, BERA, BSC, BTC, CC, CFX, ETH, OPT, POL, SOL, TRX, WLD$/
  ])
})

const nines = (digits: number) => '9'.repeat(digits)

const limits: [name: keyof Config, accepted: string, rejected: string][] = [
  ['SERVICE_BRAND', 'abcdefghijklmno1', 'abcdefghijklmno12'],
  ['SERVICE_GAS_PRICE', '1ibc', '1ib'],
  ['SERVICE_GAS_PRICE', '0', '00.1'],
  ['SERVICE_GAS_PRICE', `${nines(18)}.${nines(18)}`, `${nines(19)}`],
  ['SERVICE_DAILY_FEE_LIMIT', nines(38), nines(39)],
  ['SERVICE_SUBMIT_TIMEOUT', '600000', '600001'],
  ['SERVICE_RETENTION_DAYS', '36500', '36501'],
  ['PORT', '65535', '65536'],
  ['RATE_LIMIT_MAX', '1', '0'],
  ['RATE_LIMIT_MAX', '100000000', '100000001'],
  ['HOST', '::1', 'two words'],
  ['TRUST_PROXY', '1', '-1'],
  ['TRUST_PROXY', '10.0.0.0/32', '10.0.0.0/33'],
  ['TRUST_PROXY', 'linklocal,uniquelocal', 'sitelocal']
]

test('accepts a value at each limit and rejects a value beyond it', async t => {
  for (const [name, accepted, rejected] of limits) {
    t.equal(String(load({ [name]: accepted }).config[name]), accepted)
    refuses(t, { [name]: rejected }, `${name} `)
  }
})
