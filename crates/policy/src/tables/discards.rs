//! What discards more than the files that a command names: whole trees, and what services hold. No plan sees it, or only a
//! part of it. Data for `judge/discards`; what one program discards by an argument of its own stands in its row of `uses`.

use std::sync::LazyLock;

use super::Names;

/// Programs that go through whole trees: their names, the letters with which they do, and the same as a long option.
/// Without letters they always do.
pub(crate) const TREES: &[(&str, &str, &str)] = &[
    ("rm grm srm trash trash-put", "rR", "--recursive"),
    ("chmod chown chgrp", "R", "--recursive"),
    ("rimraf del-cli", "", ""),
];

/// Command lines of services: the words behind the name say what is done to something that lies elsewhere.
pub(crate) static SERVICES: LazyLock<Names> = LazyLock::new(|| Names::of(SERVICES_TEXT));

const SERVICES_TEXT: &str = "\
kubectl oc k3s microk8s kubeadm helm argocd flux istioctl kops eksctl minikube kind k3d nomad consul vault waypoint \
boundary terraform tofu terragrunt pulumi cdk cdktf sam copilot serverless sls amplify sst packer aws awslocal gcloud \
gsutil bq az azd azcopy oci ibmcloud aliyun tccli doctl hcloud linode-cli vultr-cli scw exo openstack nova cinder swift \
s3cmd s5cmd mc mcli rclone b2 heroku fly flyctl vercel netlify wrangler firebase supabase railway render neonctl pscale \
turso appwrite gh glab tea jira circleci docker podman nerdctl docker-compose podman-compose ctr crictl buildah lxc \
incus virsh multipass vagrant rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh nats redis-cli valkey-cli etcdctl \
influx mysqladmin zfs zpool btrfs lvm restic borg duplicity tarsnap rbd rados ceph gluster snapper timeshift";

/// Words of a service that discard, each wherever it stands: a word too many is a question too many. `*` stands for
/// anything.
pub(crate) const VERBS: &str = "delete delete-* *-delete *:delete del destroy destroy-* *:destroy -destroy --destroy rm rmi rb rmdir remove \
    remove-* rem erase wipe purge purge-* *:purge drop drop-* terminate terminate-* prune prune-* forget uninstall down \
    undeploy teardown undefine reset *:reset drain flushall flushdb unlink deregister deregister-* --delete --prune \
    --replicas=0 --force-destroy";

/// With one of these nothing is done. The value of an option is none of them.
pub(crate) const SPARING: &str =
    "--help -h --dry-run --dry-run=client --dry-run=server --dry-run=true --dryrun --what-if";
