// What is used of it. Its published types need those of Node.js, which would give the browser's code names that no browser has.
declare module 'papaparse' {
  export function parse(text: string, options: { skipEmptyLines: 'greedy' }): { data: string[][] };
}
