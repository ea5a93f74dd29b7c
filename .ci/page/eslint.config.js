import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }], "no-implicit-globals": "error", "no-shadow": "error",
      "no-unused-vars": ["error", { args: "all" }], "no-eval": "error", "no-restricted-properties": ["error", { property: "innerHTML", message: "Texts are never read as HTML." }],
    },
  },
];
