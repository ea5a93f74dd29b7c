{{- define "sedmabot.name" -}}
{{- if contains "sedmabot" .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-sedmabot" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "sedmabot.selector" -}}
app.kubernetes.io/name: sedmabot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sedmabot.labels" -}}
{{ include "sedmabot.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
{{- end -}}

{{- define "sedmabot.image" -}}
{{- $repository := required "image.repository: say where your image is" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Mistakes that the schema can't find. */}}
{{- define "sedmabot.check" -}}
{{- if not .Values.secrets.redisURL.name -}}
{{- fail "secrets.redisURL.name: name the secret with the URL of your Redis or Valkey" -}}
{{- end -}}
{{- if not (or .Values.secrets.discordToken.name .Values.secrets.telegramToken.name) -}}
{{- fail "secrets.discordToken.name, secrets.telegramToken.name: name the secret with the bot's token in one of them" -}}
{{- end -}}
{{- if .Values.webhook.enabled -}}
{{- if not .Values.webhook.host -}}
{{- fail "webhook.host: say at which name the platforms reach the ingress" -}}
{{- end -}}
{{- if not (or (and .Values.webhook.telegram .Values.secrets.telegramToken.name) (and .Values.webhook.discordPublicKey .Values.secrets.discordToken.name)) -}}
{{- fail "webhook.enabled: there is no token for webhook.telegram, and no token with webhook.discordPublicKey" -}}
{{- end -}}
{{- end -}}
{{- end -}}
