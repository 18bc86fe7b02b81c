export { default } from '../fees/index.ts'
