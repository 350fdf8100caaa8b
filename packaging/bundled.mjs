/** Packages that are bundled into the fleet page. They are development dependencies, which users do not install. */
export const BUNDLED = ['preact', 'uplot'];
