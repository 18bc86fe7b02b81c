export { default } from './transfer/index.ts'
