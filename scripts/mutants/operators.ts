import { parseSync, Visitor, type VisitorObject } from 'oxc-parser'

interface Span {
  start: number
  end: number
}

/** A replacement of part of a line. */
export interface Edit extends Span {
  /** The operator that found it. */
  kind: string
  text: string
}

const pairs = (text: string) => text.split(' | ').map(pair => pair.split(' → '))

const OPERATORS = pairs(
  '=== → !== | !== → === | < → <= | < → >= | <= → < | <= → > | > → >= | > → <= | >= → > | >= → < | + → - | ' +
    '- → + | * → / | / → * | % → * | && → || | || → && | ?? → && | += → -= | -= → +='
)
const METHODS = pairs(
  'some → every | every → some | min → max | max → min | floor → ceil | ceil → floor | shift → pop | ' +
    'push → unshift | startsWith → endsWith | allSettled → all'
)
const SQL = pairs(
  'AND → OR | OR → AND | = → <> | <> → = | < → <= | <= → < | > → >= | >= → > | + → - | - → + | ' +
    'IS NULL → IS NOT NULL | IS NOT NULL → IS NULL | DESC → ASC'
)

// Not mutated: types, imports, log lines, descriptions.
const TYPES = ['TSLiteralType', 'TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'TSModuleDeclaration']
const MODULES = ['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration']
const LOG_LINE = /\b(log|logger)\??\.(fatal|error|warn|info|debug|trace)$/
const DESCRIPTION = /^(description|summary|title|help|examples?|tags|operationId)$/

/** Returns every error on one line that an operator can make in a source file. */
export function editsOf(path: string, source: string): Edit[] {
  const found: Edit[] = []
  let hidden = 0
  const text = ({ start, end }: Span) => source.slice(start, end)
  const add = (kind: string, { start, end }: Span, replacement: string) => {
    if (hidden === 0 && !source.slice(start, end).includes('\n'))
      found.push({ kind, start, end, text: replacement })
  }
  const hide = (by: 1 | -1, is = true) => {
    if (is) hidden += by
  }
  const addPairs = (kind: string, from: string, span: Span, table: string[][]) => {
    for (const [one, other = ''] of table) if (one === from) add(kind, span, other)
  }
  const operator = ({ left, right, operator }: { left: Span; right: Span; operator: string }) => {
    const start = left.end + source.slice(left.end, right.start).indexOf(operator)
    addPairs('operator', operator, { start, end: start + operator.length }, OPERATORS)
  }
  const negate = (test: Span) => add('negated condition', test, `!(${text(test)})`)
  const remove = (kind: string, { start, end }: Span) => {
    const [comma = ''] = /^,? ?/.exec(source.slice(end)) ?? []
    add(kind, { start, end: end + comma.length }, '')
  }
  const sql = ({ start, end }: Span) => {
    const literal = source.slice(start, end)
    if (!/\b(SELECT|UPDATE|INSERT|DELETE|WHERE|ORDER BY)\b/.test(literal)) return
    for (const [one = '', other = ''] of SQL) {
      for (let at = literal.indexOf(` ${one} `); at >= 0; at = literal.indexOf(` ${one} `, at + 1)) {
        add('SQL', { start: start + at + 1, end: start + at + 1 + one.length }, other)
      }
    }
  }

  const visitor: VisitorObject = {
    BinaryExpression: operator,
    AssignmentExpression: operator,
    LogicalExpression: node => {
      operator(node)
      add('dropped operand', node, text(node.left))
      if (node.operator !== '??') add('dropped operand', node, text(node.right))
    },
    UnaryExpression: node => {
      if (node.operator === '!') add('removed !', node, text(node.argument))
    },
    IfStatement: node => {
      negate(node.test)
      if (node.alternate === null) add('dropped if', node, '')
    },
    WhileStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test, consequent, alternate }) => {
      negate(test)
      const arms = { start: consequent.start, end: alternate.end }
      add('swapped arms', arms, `${text(alternate)} : ${text(consequent)}`)
    },
    Literal: node => {
      const { value } = node
      if (typeof value === 'boolean') add('boolean', node, `${!value}`)
      else if (typeof value === 'bigint') add('number', node, `${value + 1n}n`)
      else if (typeof value === 'number') add('number', node, `${value < 10 ? value + 1 : value * 10}`)
      else if (typeof value === 'string' && /^[\w.:/-]{2,}$/.test(value)) add('string', node, `'${value}x'`)
      else if (typeof value === 'string') sql(node)
    },
    TemplateElement: sql,
    MemberExpression: ({ property }) => addPairs('method', text(property), property, METHODS),
    SpreadElement: node => remove('dropped spread', node),
    ArrayExpression: ({ elements }) => {
      for (const element of elements) {
        if (element && element.type !== 'SpreadElement') remove('dropped element', element)
      }
    },
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type === 'Property' && !DESCRIPTION.test(text(property.key)))
          remove('dropped property', property)
      }
    },
    ExpressionStatement: node => {
      if (node.expression.type === 'CallExpression') add('removed call', node, '')
    },
    BlockStatement: ({ body }) => {
      for (const { type, start } of body) {
        if (type !== 'ReturnStatement') add('early return', { start, end: start }, 'return; ')
      }
    },
    CallExpression: ({ callee }) => hide(1, LOG_LINE.test(text(callee))),
    'CallExpression:exit': ({ callee }) => hide(-1, LOG_LINE.test(text(callee))),
    Property: ({ key }) => hide(1, DESCRIPTION.test(text(key))),
    'Property:exit': ({ key }) => hide(-1, DESCRIPTION.test(text(key)))
  }
  for (const type of [...TYPES, ...MODULES]) {
    Object.assign(visitor, { [type]: () => hide(1), [`${type}:exit`]: () => hide(-1) })
  }
  new Visitor(visitor).visit(parseSync(path, source).program)
  return found
}
